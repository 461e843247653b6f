import { Crash } from "../support/simulator/disturbance.ts";
import type { Call, Strike } from "./moments.ts";

export interface Strikes {
  /** From now on they fall. */
  arm(): void;
  /** Whether all of them fell. */
  haveFallen(): boolean;
  /** A call that the next of them may strike; `instead`: what its caller has in place of an answer. */
  through<R>(call: Call, effect: (how?: Strike["how"]) => Promise<R>, instead?: (how: Strike["how"]) => R): Promise<R>;
}

/** Strikes one after the other, each once. */
export const striking = (strikes: readonly Strike[]): Strikes => {
  let armed = false;
  let fallen = 0;
  const falls = (call: Call): Strike["how"] | undefined => {
    const next = armed ? strikes[fallen] : undefined;
    if (next?.call !== call) return undefined;
    fallen += 1;
    return next.how;
  };
  return {
    arm: () => {
      armed = true;
    },
    haveFallen: () => fallen === strikes.length,
    through: async (call, effect, instead) => {
      const how = falls(call);
      if (how === "dies before") throw new Crash(call);
      if ((how === "fails" || how === "is refused") && instead) return instead(how);
      const answer = await effect(how);
      if (how === "dies after" || how === "dies halfway") throw new Crash(call);
      return how === "is lost" && instead ? instead(how) : answer;
    },
  };
};
