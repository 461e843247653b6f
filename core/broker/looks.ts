import type { BrokerId } from "../ids.ts";
import type { OutgoingEvent } from "../ports.ts";
import type { DrainedPlace } from "../routing/plan.ts";

/** Seconds: as long as SQS delays an event. */
export const longestDelay = 900;

/** Milliseconds: a target that refused some of a batch has no open breaker whose closing would tell. */
export const soon = 10_000;

/** To our own control: look at a place, in so many seconds. */
export const lookAt = (self: BrokerId, place: DrainedPlace, seconds = 0): OutgoingEvent => ({
  to: self,
  event: { event: "look", place },
  ...(seconds > 0 && { delaySeconds: seconds }),
});

/** The same for a moment to come. One that is farther off than an event can wait is left to the ticks: nothing is sent. */
export const lookWhenDue = (self: BrokerId, place: DrainedPlace, at: number, now: number): readonly OutgoingEvent[] => {
  const seconds = Math.max(0, Math.ceil((at - now) / 1_000));
  return seconds > longestDelay ? [] : [lookAt(self, place, seconds)];
};
