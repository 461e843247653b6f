import type { Destination } from "../destination/destination.ts";
import { isFifo } from "../destination/fifo.ts";
import { isPermitted, permitsOf } from "./permitted.ts";
import type { BrokerSlice } from "./slice.ts";

type Deployed = Pick<BrokerSlice, "broker" | "connectors" | "topics" | "autoCreateDestinations">;

/** The feeds that a broker has, for each whether it keeps order: what its topics can't do themselves goes by them. */
export const feedsOf = (slice: Deployed): readonly boolean[] => [
  ...(mayHaveTopics(slice) ? [false] : []),
  ...(hasOrderedFeed(slice) ? [true] : []),
];

/** Can what the topic can't do itself go by a feed? */
export const hasFeedFor = (slice: Deployed, topic: Destination): boolean => feedsOf(slice).includes(isFifo(topic));

/** It declares a topic, or one may be made on first use. */
const mayHaveTopics = ({ broker, connectors, topics, autoCreateDestinations }: Deployed): boolean => {
  if (topicsOf(topics).some((topic) => !isFifo(topic))) return true;
  if (autoCreateDestinations !== "permitted") return autoCreateDestinations.some(isTopics);
  const ours = connectors.filter(({ from, to }) => from === broker || to === broker);
  return ours.some(
    ({ dynamicallyIncludedDestinations: dynamic, staticallyIncludedDestinations: included }) =>
      dynamic.length === 0 || [...dynamic, ...included].some(isTopics),
  );
};

/** It declares a FIFO topic that one of its links permits. */
const hasOrderedFeed = ({ broker, connectors, topics }: Deployed): boolean => {
  const permits = connectors.filter(({ from }) => from === broker).map(permitsOf);
  return topicsOf(topics).some((topic) => isFifo(topic) && permits.some((one) => isPermitted(one, topic)));
};

const topicsOf = (names: readonly string[]): readonly Destination[] => names.map((name) => ({ kind: "topic", name }));
const isTopics = (filter: string): boolean => filter.startsWith("topic://");
