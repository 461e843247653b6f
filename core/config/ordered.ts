import { isFifoName } from "../destination/fifo.ts";
import type { BrokerSlice } from "./slice.ts";

type Deployed = Pick<BrokerSlice, "broker" | "connectors" | "queues" | "topics">;

/** It declares a FIFO destination, or a link of its permits one: it has an ordered ingress. */
export const hasOrderedIngress = ({ broker, connectors, queues, topics }: Deployed): boolean =>
  [...queues, ...topics].some(isFifoName) || connectors.some(({ from, to, fifo }) => fifo && (from === broker || to === broker));

/** The two ways of a link, or its only one: for each whether it keeps order. */
export const lanesOf = ({ fifo }: { readonly fifo?: true | undefined }): readonly boolean[] => (fifo ? [false, true] : [false]);
