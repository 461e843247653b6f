import { destinationKey } from "../destination/destination.ts";
import type { RestingPlace } from "../routing/plan.ts";

/** Names a resting place in records and counters. */
export const placeKey = (place: RestingPlace): string =>
  place.to === "queue" ? destinationKey(place.destination) : `private|${place.queue}`;

/** How many messages dispatch has put to rest in a place, ever; what a full round has seen of it stands in the place's pass record. */
export const restingCounter = (place: RestingPlace): string => `resting#${placeKey(place)}`;
