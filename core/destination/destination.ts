export type DestinationKind = "queue" | "topic" | "temp-queue" | "temp-topic";

/** A JMS destination: kinds never mix, names are compared as they are (case matters, nothing is trimmed). */
export interface Destination {
  readonly kind: DestinationKind;
  readonly name: string;
}

/** The text form `queue://orders.new`, also the destination's key in tables and events. */
export type DestinationKey = string;

/** Why a text names no destination. */
export type DestinationFault = { readonly fault: "empty-destination"; readonly text: string };

const prefixed = /^(queue|topic|temp-queue|temp-topic):\/\/(.*)$/s;

/** Reads a text that passed `parseDestination` once (configuration, keys, events): the inverse of `destinationKey`, never a fault. */
export const destinationOf = (text: string, defaultKind: DestinationKind = "queue"): Destination => {
  const [, kind = defaultKind, rest = text] = prefixed.exec(text) ?? [];
  const [name = ""] = rest.split("?", 1);
  return { kind: kind as DestinationKind, name: name.trim() };
};

/** Reads a text from outside. Spaces around the name and options (`?consumer.priority=5`) are no part of it. */
export const parseDestination = (text: string, defaultKind: DestinationKind = "queue"): Destination | DestinationFault => {
  const destination = destinationOf(text, defaultKind);
  return destination.name === "" ? { fault: "empty-destination", text } : destination;
};

export const describeDestinationFault = ({ text }: DestinationFault): string =>
  `"${text}" names no destination: write a name, as in queue://orders.new or topic://prices`;

export const destinationKey = ({ kind, name }: Destination): DestinationKey => `${kind}://${name}`;

/** The options behind a destination text: `Q?consumer.priority=5` has `{"consumer.priority": "5"}`; after a second `?` only what follows it. */
export const optionsOf = (text: string): Readonly<Record<string, string>> => {
  const query = text.includes("?") ? text.slice(text.lastIndexOf("?") + 1) : "";
  const pairs = query.split("&").filter((pair) => pair !== "");
  return Object.fromEntries(pairs.map((pair) => [pair.split("=", 1)[0], pair.slice(pair.indexOf("=") + 1)]));
};
