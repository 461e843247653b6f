import type { DestinationKey } from "../destination/destination.ts";
import type { BrokerId } from "../ids.ts";
import type { Message } from "../message/message.ts";
import type { ClaimKey } from "./claim.ts";

/**
 * Key of a message that came by a door, for one of its destinations. The visit (how often this broker stands on its path already) keeps
 * a replayed message from being taken for the one that left.
 */
export const arrivalKey = (
  { id, brokerPath }: Pick<Message, "id" | "brokerPath">,
  door: "ingress" | "inbound" | "feed",
  destination: DestinationKey,
  self: BrokerId,
): ClaimKey => `${door}|${destination}|${brokerPath.filter((broker) => broker === self).length}|${id}`;

/** Key of a resting copy that a drain pass moves: the copy's own transport id, since the message may rest here again. */
export const restingKey = (place: string, transportId: string): ClaimKey => `rest|${place}|${transportId}`;

/** Key of a message that an application handles once in a scope: its destination, its subscription, or a name of the application's own. */
export const onceKey = (scope: string, id: Message["id"]): ClaimKey => `once|${scope}|${id}`;
