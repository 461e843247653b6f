import type { HandOver, HandOverAnswer } from "../../core/ports.ts";
import { Crash, type Disturbance } from "../support/simulator/disturbance.ts";

/** What fired how often: fault × port. */
export type Census = Map<string, number>;

export interface Troubles {
  readonly disturbance: Disturbance;
  readonly census: Census;
  /** Bodies that may be there twice: a target without our audit took them, and its broker may not know. */
  readonly windows: ReadonlySet<string>;
  /** From now on nothing goes wrong. */
  end(): void;
}

/** One in so many calls goes wrong. */
const rarity = 12;

/** Draws what goes wrong after which call of which port; `draw` answers from 0 up to 1. */
export const troubles = (draw: (row: string) => number): Troubles => {
  const census: Census = new Map();
  const windows = new Set<string>();
  let over = false;
  const strikes = (fault: string, rare = rarity): boolean => {
    if (over || draw(fault) >= 1 / rare) return false;
    census.set(fault, (census.get(fault) ?? 0) + 1);
    return true;
  };

  const invocation: Disturbance["invocation"] = (ports, work) => {
    /** What unaudited targets took and the audit doesn't know yet; of a pass, what was sent and stands in its queue still. */
    const open = new Set<string>();
    const openWindow = (): void => {
      for (const body of open) windows.add(body);
    };

    /** After the call, the invocation may die. */
    const mortal =
      <A extends readonly unknown[], R>(port: string, call: (...args: A) => Promise<R>) =>
      async (...args: A): Promise<R> => {
        const answer = await call(...args);
        if (!strikes(`crash after ${port}`, 3 * rarity)) return answer;
        openWindow();
        throw new Crash(port);
      };

    const handOver = async (one: HandOver): Promise<HandOverAnswer> => {
      if (strikes("throttled hand-over")) return { answer: "refused", cause: "throttled", why: "slow down" };
      if (strikes("hanging hand-over")) return { answer: "silent", why: "no answer in 3 s" };
      const [answer = { answer: "silent", why: "nothing said" }] = await ports.targets.handOver([one]);
      // A silent peer may have it; should its shelter take nothing, a consumer here may take the copy.
      if (answer.answer === "silent" && work === "pass") windows.add(one.wire.body);
      if (answer.answer !== "accepted") return answer;
      if (isUnaudited(one) || work === "pass") open.add(one.wire.body);
      if (!strikes("lost answer of a hand-over")) return answer;
      if (isUnaudited(one) || work === "pass") windows.add(one.wire.body);
      return { answer: "silent", why: "the answer was lost" };
    };

    return {
      ...ports,
      targets: {
        handOver: mortal("hand-over", async (handOvers) => {
          const answers: HandOverAnswer[] = [];
          for (const one of handOvers) answers.push(await handOver(one));
          return answers;
        }),
      },
      audit: {
        claim: mortal("claim", async (claims, now) => {
          const answers = await ports.audit.claim(claims, now);
          return strikes("lost answer of a claim")
            ? answers.map(() => ({ answer: "unknown", why: "the answer was lost" }) as const)
            : answers;
        }),
        takeOver: mortal("take-over", ports.audit.takeOver),
        settle: mortal("settle", async (claims) => {
          if (strikes("settle fails")) {
            openWindow();
            return claims.map(() => "unsettled" as const);
          }
          const settled = await ports.audit.settle(claims);
          if (work === "batch" && claims.length >= open.size) open.clear();
          return settled;
        }),
        release: mortal("release", ports.audit.release),
      },
      counters: { add: mortal("counter", ports.counters.add) },
      events: { send: mortal("event", ports.events.send) },
      resting: {
        receive: mortal("receive", ports.resting.receive),
        remove: mortal("remove", async (place, copies) => {
          await ports.resting.remove(place, copies);
          open.clear();
        }),
        giveBack: mortal("give back", ports.resting.giveBack),
      },
    };
  };

  return {
    census,
    windows,
    end: () => {
      over = true;
    },
    disturbance: {
      invocation,
      handlers: () => (strikes("one copy in two live handlers") ? 2 : 1),
      deletes: () => !strikes("redelivery after delete"),
      skew: () => (strikes("clock jumps") ? (draw("by") - 0.5) * 8_000 : 0),
    },
  };
};

const isUnaudited = ({ target }: HandOver): boolean => target.to !== "link" && target.to !== "undelivered";
