/** How much may happen within a time. */
export interface Rate {
  readonly limit: number;
  /** Milliseconds. */
  readonly duration: number;
}

/** A rate's window: it opens with the first that is taken, not at a fixed beat. */
export interface RateWindow {
  /** How much was asked for since it opened, also in vain. */
  readonly asked: number;
  /** When it is over (clock). */
  readonly closesAt: number;
}

/** What somebody got of a rate's window. */
export interface Taken {
  readonly taken: number;
  readonly left: number;
  /** When the window is over (clock). */
  readonly until: number;
  /** This window took no more, or the last one did: others may wait for the next. */
  readonly usedUp: boolean;
}

/** What the last who asked, for `n`, got of a window. One that is over gives nothing: the next to take something opens another. */
export const takenOf = ({ asked, closesAt }: RateWindow, n: number, { limit, duration }: Rate, now: number): Taken => {
  const usedUp = asked >= limit;
  if (closesAt <= now) return { taken: 0, left: limit, until: now + duration, usedUp };
  return { taken: Math.max(0, Math.min(n, limit - (asked - n))), left: Math.max(0, limit - asked), until: closesAt, usedUp };
};
