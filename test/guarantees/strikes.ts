import { Crash } from "../support/simulator/disturbance.ts";
import type { Call, Strike } from "./moments.ts";

export interface Strikes {
  /** From now on they fall. */
  arm(): void;
  /** Whether all of them fell. */
  haveFallen(): boolean;
  /** Calls that were made since. */
  readonly calls: ReadonlySet<Call>;
  /** What befalls this call, by any of its names; then it is struck. */
  falls(...as: readonly Call[]): Strike["how"] | undefined;
  /** A call that the next of them may strike; `instead`: what its caller has in place of an answer. */
  through<R>(
    call: Call | readonly Call[],
    effect: (how?: Strike["how"]) => Promise<R>,
    instead?: (how: Strike["how"], had?: R) => R,
  ): Promise<R>;
}

/** Strikes one after the other, each once. */
export const striking = (strikes: readonly Strike[]): Strikes => {
  const calls = new Set<Call>();
  let armed = false;
  let fallen = 0;
  const falls = (...as: readonly Call[]): Strike["how"] | undefined => {
    if (armed) for (const call of as) calls.add(call);
    const next = armed ? strikes[fallen] : undefined;
    if (!next || !as.includes(next.call)) return undefined;
    fallen += 1;
    return next.how;
  };
  return {
    arm: () => {
      armed = true;
    },
    haveFallen: () => fallen === strikes.length,
    calls,
    falls,
    through: async (call, effect, instead) => {
      const how = falls(...[call].flat());
      if (how === "dies before") throw new Crash(`${call}`);
      if ((how === "fails" || how === "is refused") && instead) return instead(how);
      const answer = await effect(how);
      if (how === "dies after" || how === "dies halfway") throw new Crash(`${call}`);
      return how !== undefined && instead ? instead(how, answer) : answer;
    },
  };
};
