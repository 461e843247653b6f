import type { Destination } from "./destination.ts";

/** What the names of advisory topics about consumers begin with (spec ADV-1). */
export const consumerAdvisoryPrefix = "ActiveMQ.Advisory.Consumer.";

/** The name of the topic that tells of a destination's consumers. A temporary one counts as its kind; a composite has one of its own. */
export const consumerAdvisory = ({ kind, name }: Destination): string =>
  `${consumerAdvisoryPrefix}${kind.endsWith("queue") ? "Queue" : "Topic"}.${name.replaceAll(",", "&sbquo;")}`;
