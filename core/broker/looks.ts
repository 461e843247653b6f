import type { BrokerId } from "../ids.ts";
import type { OutgoingEvent } from "../ports.ts";
import type { DrainedPlace } from "../routing/plan.ts";

/** Seconds: as long as SQS delays an event. */
export const longestDelay = 900;

/** Milliseconds: a target that refused some of a batch has no open breaker whose closing would tell. */
export const soon = 10_000;

/** Milliseconds: what comes waits so long, at least, behind what waits already. A pass may be moving that; if not, nobody else would order one. */
export const aMoment = 1_000;

/** To our own control: look at a place, in so many seconds. */
export const lookAt = (self: BrokerId, place: DrainedPlace, seconds = 0, due?: number): OutgoingEvent => ({
  to: self,
  event: { event: "look", place, ...(due !== undefined && { due }) },
  ...(seconds > 0 && { delaySeconds: seconds }),
});

/** The same for a moment to come. One that is farther off than an event can wait is left to the ticks: nothing is sent. */
export const lookWhenDue = (self: BrokerId, place: DrainedPlace, at: number, now: number): readonly OutgoingEvent[] => {
  const seconds = secondsUntil(at, now);
  return seconds > longestDelay ? [] : [lookAt(self, place, seconds)];
};

/** The same at a place where something waits for its time: of one that is far off control is told at once, so that the ticks know. */
export const lookByTime = (self: BrokerId, place: DrainedPlace, due: number, now: number): OutgoingEvent => {
  const seconds = secondsUntil(due, now);
  return lookAt(self, place, seconds > longestDelay ? 0 : seconds, due);
};

const secondsUntil = (at: number, now: number): number => Math.max(0, Math.ceil((at - now) / 1_000));
