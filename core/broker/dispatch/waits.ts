import { isFifo } from "../../destination/fifo.ts";
import type { BrokerId } from "../../ids.ts";
import type { OutgoingEvent } from "../../ports.ts";
import type { DrainedPlace } from "../../routing/plan.ts";
import { lookWhenDue, soon } from "../looks.ts";
import { orderedShelter, placeKey } from "../resting.ts";
import type { Delivered } from "./carrying.ts";

interface Wait {
  readonly place: DrainedPlace;
  readonly until: number;
}

/**
 * What was put to rest until a certain time is looked at then, what a target refused soon, and what others of its FIFO queue or link keep
 * waiting soon, too: they may have gone meanwhile.
 */
export const looksFor = (delivered: readonly Delivered[], self: BrokerId, now: number): readonly OutgoingEvent[] => {
  const waiting = delivered.flatMap((one) => (one.end === "carried" ? waitsOf(one.load, now) : []));
  return [...Map.groupBy(waiting, ({ place }) => placeKey(place)).values()].flatMap((its) => {
    const [{ place } = { place: undefined }] = its;
    return place ? lookWhenDue(self, place, Math.min(...its.map(({ until }) => until)), now) : [];
  });
};

const waitsOf = ({ plan }: Delivered["load"], now: number): Wait[] => {
  if (plan.plan === "park") return isFifo(plan.destination) ? [{ place: orderedShelter(plan.link), until: now + soon }] : [];
  if (plan.plan !== "rest") return [];
  const place = { to: "queue", destination: plan.destination } as const;
  if (plan.reason === "behind-resting") return [{ place, until: now + aMoment }];
  const until = plan.reason === "target-refused" ? now + soon : plan.until;
  return until === undefined ? [] : [{ place, until }];
};

/** A pass may be under way; if not, nobody else would order one. */
const aMoment = 1_000;
