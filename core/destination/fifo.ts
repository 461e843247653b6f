import type { Destination } from "./destination.ts";

/**
 * A destination whose name ends in `.fifo` keeps order, as the AWS names of FIFO queues and topics do: every broker knows it by the name
 * alone (decision 0009). So does the AWS name of whatever else is named so.
 */
export const isFifo = ({ name }: Pick<Destination, "name">): boolean => isFifoName(name);

export const isFifoName = (name: string): boolean => name.length > suffix.length && name.endsWith(suffix);

/** The name of the ordered sibling: `sys-ingress.fifo` beside `sys-ingress`. */
export const laneOf = (name: string, fifo: boolean): string => (fifo ? name + suffix : name);

export const withoutSuffix = (name: string): string => (isFifoName(name) ? name.slice(0, -suffix.length) : name);

export const suffix = ".fifo";
