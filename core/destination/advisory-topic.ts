import type { Destination, DestinationKind } from "./destination.ts";

/** What the names of advisory topics about consumers begin with (spec ADV-1). */
export const consumerAdvisoryPrefix = "ActiveMQ.Advisory.Consumer.";

/** The name of the topic that tells of a destination's consumers. A composite has one of its own: its commas are escaped. */
export const consumerAdvisory = ({ kind, name }: Destination): string => `${consumerAdvisoryOf(kind)}${name.replaceAll(",", "&sbquo;")}`;

/** A temporary destination counts as its kind. */
export const consumerAdvisoryOf = (kind: DestinationKind): string =>
  `${consumerAdvisoryPrefix}${kind.endsWith("queue") ? "Queue." : "Topic."}`;
