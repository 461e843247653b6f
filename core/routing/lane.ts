import type { Destination } from "../destination/destination.ts";
import { isFifo } from "../destination/fifo.ts";
import type { LinkId } from "../ids.ts";
import type { LinkLane } from "./plan.ts";

/** The way over a link that a destination's messages take. */
export const laneOver = (link: LinkId, destination: Destination): LinkLane => ({ link, ...(isFifo(destination) && { fifo: true }) });
