export type DestinationKind = "queue" | "topic" | "temp-queue" | "temp-topic";

/** A JMS destination: kinds never mix, names are compared as they are (case matters, nothing is trimmed). */
export interface Destination {
  readonly kind: DestinationKind;
  readonly name: string;
}

/** The text form `queue://orders.new`, also the destination's key in tables and events. */
export type DestinationKey = string;

/** Why a text names no destination. */
export type DestinationFault = { readonly fault: "empty-destination" | "destination-too-long"; readonly text: string };

/** A key of the table takes 1,024 bytes, three for a character at most. */
const longestName = 300;
/** Each part of a composite is routed for itself. */
const mostParts = 100;

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
  if (destination.name === "") return { fault: "empty-destination", text };
  const parts = destination.name.split(",");
  const fits = parts.length <= mostParts && parts.every(({ length }) => length <= longestName);
  return fits ? destination : { fault: "destination-too-long", text };
};

export const describeDestinationFault = ({ fault, text }: DestinationFault): string =>
  fault === "empty-destination"
    ? `"${text}" names no destination: write a name, as in queue://orders.new or topic://prices`
    : `"${text.slice(0, 60)}…" is too long: a name has ${longestName} characters at most, a composite ${mostParts} parts`;

export const destinationKey = ({ kind, name }: Destination): DestinationKey => `${kind}://${name}`;

/** The options behind a destination text: `Q?consumer.priority=5` has `{"consumer.priority": "5"}`; after a second `?` only what follows it. */
export const optionsOf = (text: string): Readonly<Record<string, string>> => {
  const query = text.includes("?") ? text.slice(text.lastIndexOf("?") + 1) : "";
  const pairs = query.split("&").filter((pair) => pair !== "");
  return Object.fromEntries(pairs.map((pair) => [pair.split("=", 1)[0], pair.slice(pair.indexOf("=") + 1)]));
};
