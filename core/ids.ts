declare const brand: unique symbol;
type Id<Kind extends string> = string & { readonly [brand]: Kind };

/** A broker's id in its network, `[a-z0-9]+`; one AWS region (and account) is one broker. */
export type BrokerId = Id<"broker">;
/** One direction of a connector in life: `<owner>:<connector name>`. Messages flow from the owner to the peer. */
export type LinkId = Id<"link">;
/** A client's connection; fresh for every `connect`, never reused. */
export type ConnectionId = Id<"connection">;

export const brokerId = (text: string): BrokerId => text as BrokerId;
export const connectionId = (text: string): ConnectionId => text as ConnectionId;
export const linkId = (owner: BrokerId, connector: string): LinkId => `${owner}:${connector}` as LinkId;
/** The connector's name in a link of its owner's. */
export const connectorOf = (link: LinkId): string => link.slice(link.indexOf(":") + 1);
