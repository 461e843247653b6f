import { isFifo } from "../../destination/fifo.ts";
import type { BrokerId } from "../../ids.ts";
import type { OutgoingEvent } from "../../ports.ts";
import { laneOver } from "../../routing/lane.ts";
import type { DrainedPlace, Plan } from "../../routing/plan.ts";
import { aMoment, lookByTime, lookWhenDue, soon } from "../looks.ts";
import { placeKey } from "../resting.ts";
import type { Delivered } from "./carrying.ts";

interface Wait {
  readonly place: DrainedPlace;
  readonly until: number;
  /** Time alone makes a round worth it then, whoever consumes. */
  readonly isDue?: true;
}

/**
 * What was put to rest until a certain time is looked at then, what a target refused soon, and what others of its FIFO queue or link keep
 * waiting soon, too: they may have gone meanwhile.
 */
export const looksFor = (delivered: readonly Delivered[], self: BrokerId, now: number): readonly OutgoingEvent[] => {
  const waiting = delivered.flatMap((one) => (one.end === "carried" ? waitsOf(one.load, now) : []));
  return [...Map.groupBy(waiting, ({ place }) => placeKey(place)).values()].flatMap((its) => {
    const [first] = its.toSorted((a, b) => a.until - b.until);
    if (!first) return [];
    const { place, until, isDue } = first;
    return isDue ? [lookByTime(self, place, until, now)] : lookWhenDue(self, place, until, now);
  });
};

const waitsOf = ({ plan }: Delivered["load"], now: number): Wait[] => {
  if (plan.plan === "park") return parkedUntil(plan, now);
  if (plan.plan !== "rest") return [];
  const place = { to: "queue", destination: plan.destination } as const;
  if (plan.reason === "behind-resting") return [{ place, until: now + aMoment }];
  if (plan.reason === "target-refused") return [{ place, until: now + soon }];
  return plan.until === undefined ? [] : [{ place, until: plan.until, isDue: true }];
};

const parkedUntil = ({ link, destination, until }: Extract<Plan, { plan: "park" }>, now: number): Wait[] => {
  const place = { to: "undelivered", ...laneOver(link, destination) } as const;
  if (until !== undefined) return [{ place, until, isDue: true }];
  return isFifo(destination) ? [{ place, until: now + soon }] : [];
};
