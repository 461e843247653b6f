import { lanesOf } from "../config/ordered.ts";
import type { NetworkConnector } from "../config/slice.ts";
import { destinationKey } from "../destination/destination.ts";
import { isFifo, isFifoName } from "../destination/fifo.ts";
import type { LinkId } from "../ids.ts";
import type { Brain, Counters } from "../ports.ts";
import type { DrainedPlace } from "../routing/plan.ts";

/** Names a resting place in records and counters. */
export const placeKey = (place: DrainedPlace): string => {
  switch (place.to) {
    case "queue":
      return destinationKey(place.destination);
    case "private":
      return `private|${place.queue}`;
    case "own-queue":
      return `own|${place.queue}`;
    case "undelivered":
      return place.fifo ? `undelivered|${place.link}|fifo` : `undelivered|${place.link}`;
    default:
      return place satisfies never;
  }
};

/** How many messages dispatch has put to rest in a place, ever; what a full round has seen of it stands in the place's pass record. */
export const restingCounter = (place: DrainedPlace): string => `resting#${placeKey(place)}`;

/** Where a FIFO destination's messages wait for a link alone. */
export const orderedShelter = (link: LinkId): Extract<DrainedPlace, { readonly to: "undelivered" }> => ({
  to: "undelivered",
  link,
  fifo: true,
});

/** All places where messages wait for a link alone. */
export const sheltersOf = ({ link, fifo }: Pick<NetworkConnector, "link" | "fifo">) =>
  lanesOf({ fifo }).map((keepsOrder) => (keepsOrder ? orderedShelter(link) : ({ to: "undelivered", link } as const)));

/** Do its messages keep order? */
export const isOrdered = (place: DrainedPlace): boolean => {
  if (place.to === "queue") return isFifo(place.destination);
  return place.to === "undelivered" ? place.fifo === true : isFifoName(place.queue);
};

/**
 * Does something wait in a place that a later message mustn't overtake? Until a full round has seen all that was put there, and left
 * nothing. Strongly consistent.
 */
export const holdsSome = async ({ brain, counters }: OrderPorts, place: DrainedPlace): Promise<boolean> => {
  const [pass, counter] = await Promise.all([brain.read("pass", "", placeKey(place)), counters.add(restingCounter(place), 0)]);
  const { counter: seen, left } = pass?.value.round ?? { counter: 0, left: 0 };
  return counter > seen || left > 0;
};
export interface OrderPorts {
  readonly brain: Pick<Brain, "read">;
  readonly counters: Counters;
}
