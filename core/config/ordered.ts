import type { Destination } from "../destination/destination.ts";
import { isFifo } from "../destination/fifo.ts";
import { isPermitted, permitsOf } from "./permitted.ts";
import type { BrokerSlice } from "./slice.ts";

type Part = Pick<BrokerSlice, "broker" | "connectors" | "queues" | "topics">;

/** Does this broker declare a FIFO destination? Then it has an ordered ingress. */
export const hasFifo = ({ queues, topics }: Pick<Part, "queues" | "topics">): boolean =>
  [...queues, ...topics].some((name) => isFifo({ name }));

/** Does it declare a FIFO topic that one of its links permits? Then it has a feed, which takes the topic over. */
export const hasFeed = ({ broker, connectors, topics }: Part): boolean => {
  const permits = connectors.filter(({ from }) => from === broker).map(permitsOf);
  const declared = topics.map((name): Destination => ({ kind: "topic", name })).filter(isFifo);
  return declared.some((topic) => permits.some((one) => isPermitted(one, topic)));
};
