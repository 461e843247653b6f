import type { Destination } from "../destination/destination.ts";
import { isFifo, isFifoName } from "../destination/fifo.ts";
import { isPermitted, permitsOf } from "./permitted.ts";
import type { BrokerSlice } from "./slice.ts";

type Deployed = Pick<BrokerSlice, "broker" | "connectors" | "queues" | "topics">;

/** It declares a FIFO destination, or a link of its permits one: it has an ordered ingress. */
export const hasOrderedIngress = ({ broker, connectors, queues, topics }: Deployed): boolean =>
  [...queues, ...topics].some(isFifoName) || connectors.some(({ from, to, fifo }) => fifo && (from === broker || to === broker));

/** It declares a FIFO topic that one of its links permits: it has a feed, which takes the topic over. */
export const hasFeed = ({ broker, connectors, topics }: Deployed): boolean => {
  const permits = connectors.filter(({ from }) => from === broker).map(permitsOf);
  const declared = topics.map((name): Destination => ({ kind: "topic", name })).filter(isFifo);
  return declared.some((topic) => permits.some((one) => isPermitted(one, topic)));
};

/** The two ways of a link, or its only one: for each whether it keeps order. */
export const lanesOf = ({ fifo }: { readonly fifo?: true | undefined }): readonly boolean[] => (fifo ? [false, true] : [false]);
