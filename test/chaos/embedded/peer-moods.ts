import type { Call, Fate } from "../../support/hostile/call.ts";
import type { Layer } from "../../support/hostile/fault.ts";
import { refusal } from "../../support/hostile/refusal.ts";

export const moods = ["refuses", "hangs", "accepts and says nothing"] as const;
export type Mood = (typeof moods)[number];

export interface PeerMoods {
  /** Both regions are so towards each other, until `over`. */
  turn(mood: Mood, over: AbortSignal): void;
  /** Calls of a handler (named by its region first) to another region meet its mood. */
  gate(call: Call, next: Layer): Promise<Fate>;
}

/** `met`: a call was struck. */
export const peerMoods = (met: (mood: Mood, call: Call) => void): PeerMoods => {
  let now: Mood | undefined;
  return {
    turn: (mood, over) => {
      now = mood;
      over.addEventListener("abort", () => {
        now = undefined;
      });
    },
    gate: async (call, next) => {
      if (!now || call.by === undefined || call.by.startsWith(`${call.region}.`)) return next(call);
      met(now, call);
      // As of a region that an account hasn't opted into: known not to be accepted.
      if (now === "refuses") return refusal(call, "OptInRequired", "You are not subscribed to this service", 403);
      if (now === "accepts and says nothing") await next(call);
      return "hangs";
    },
  };
};
