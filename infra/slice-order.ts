import type { BrokerSlice } from "../core/config/slice.ts";

/** The same configuration in whatever order it was written is the same text: moving a line in the file changes no resource. */
export const inOrder = (slice: BrokerSlice): BrokerSlice => ({
  ...slice,
  brokers: sortedBy(slice.brokers, ({ id }) => id),
  connectors: sortedBy(slice.connectors, ({ link }) => link),
  queues: [...slice.queues].sort(),
  topics: [...slice.topics].sort(),
  ...(slice.removedDestinations && { removedDestinations: [...slice.removedDestinations].sort() }),
  ...(slice.spanmqTopics && { spanmqTopics: [...slice.spanmqTopics].sort() }),
  ...(slice.jmsBridges && { jmsBridges: sortedBy(slice.jmsBridges, ({ name }) => name) }),
  consumers: sortedBy(slice.consumers, ({ destination, priority }) => `${destination} ${priority}`),
});

const sortedBy = <T>(items: readonly T[], key: (item: T) => string): readonly T[] => items.toSorted((a, b) => (key(a) < key(b) ? -1 : 1));
