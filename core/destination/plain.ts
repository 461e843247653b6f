import { isComposite } from "./composite.ts";
import { type Destination, destinationKey, parseDestination } from "./destination.ts";
import { isFifo } from "./fifo.ts";
import { isPattern } from "./filter.ts";

/** One destination that may be made by its name alone: no composite or pattern, none that keeps order, and its text stands for just that. */
export const isPlain = (destination: Destination): boolean => {
  const read = parseDestination(destinationKey(destination));
  return !("fault" in read || isComposite(read) || isPattern(read) || isFifo(read)) && read.name === destination.name;
};
