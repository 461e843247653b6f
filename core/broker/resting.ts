import { destinationKey } from "../destination/destination.ts";
import type { DrainedPlace, RestingPlace } from "../routing/plan.ts";

/** Names a resting place in records and counters. */
export const placeKey = (place: DrainedPlace): string => {
  switch (place.to) {
    case "queue":
      return destinationKey(place.destination);
    case "private":
      return `private|${place.queue}`;
    case "undelivered":
      return place.fifo ? `undelivered|${place.link}|fifo` : `undelivered|${place.link}`;
    default:
      return place satisfies never;
  }
};

/** How many messages dispatch has put to rest in a place, ever; what a full round has seen of it stands in the place's pass record. */
export const restingCounter = (place: RestingPlace): string => `resting#${placeKey(place)}`;
