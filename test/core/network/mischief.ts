import type { HandOver, HandOverAnswer } from "../../../core/ports.ts";
import { Crash, calm, type Disturbance } from "../../support/simulator/disturbance.ts";

/** What becomes of one call that dispatch makes: of any it may die, of a hand-over it may get no answer or a refusal. */
export const mishaps = ["dies after it", "is silent, and took it", "is silent", "refuses"] as const;
export type Mishap = (typeof mishaps)[number];

/** As long as SQS and SNS know a deduplication id: two accidents within that time are one too many for it. */
const aWhile = 6 * 60_000;

/** Calls that go well after each round of mishaps: nothing can go wrong for ever. */
const goodTurns = 12;

export interface Mischief {
  readonly disturbance: Disturbance;
  /** The network's clock; until it is given all goes well. */
  now(): number;
  /** From now on all goes well. */
  end(): void;
  /** How often dispatch died. */
  deaths(): number;
}

/**
 * Deals out mishaps to calls in turn, over and over. Between two deaths, and between a death and a lost answer, lies some time. An
 * invocation is told so often that it may go on.
 */
export const mischiefOf = (script: readonly (Mishap | undefined)[], goesOn = Number.POSITIVE_INFINITY): Mischief => {
  let calls = 0;
  let deaths = 0;
  let quietUntil = 0;
  let isOver = script.length === 0;
  const turns = [...script, ...Array<undefined>(goodTurns)];
  const next = (): Mishap | undefined => {
    const isQuiet = mischief.now() === 0 || mischief.now() < quietUntil;
    const mishap = isOver || isQuiet ? undefined : turns[calls++ % turns.length];
    if (mishap === "dies after it") deaths += 1;
    if (mishap === "dies after it" || mishap?.startsWith("is silent")) quietUntil = mischief.now() + aWhile;
    return mishap;
  };

  const mortal =
    <A extends readonly unknown[], R>(call: (...args: A) => Promise<R>) =>
    async (...args: A): Promise<R> => {
      const answer = await call(...args);
      if (next() === "dies after it") throw new Crash("the invocation died");
      return answer;
    };

  const mischief: Mischief = {
    now: () => 0,
    end: () => {
      isOver = true;
    },
    deaths: () => deaths,
    disturbance: {
      ...calm,
      timeLeft: () => {
        let asked = 0;
        return () => isOver || asked++ < goesOn;
      },
      handlers: () => (next() === "refuses" ? 2 : 1),
      deletes: (_copy, by) => by === "consumer" || next() !== "refuses",
      invocation: (ports) => {
        const handOver = async (one: HandOver): Promise<HandOverAnswer> => {
          const mishap = next();
          if (mishap === "refuses") return { answer: "refused", cause: "throttled", why: "slow down" };
          if (mishap === "is silent") return { answer: "silent", why: "no answer in 3 s" };
          const [answer] = await ports.targets.handOver([one]);
          if (mishap === "dies after it") throw new Crash("the invocation died");
          return mishap ? { answer: "silent", why: "the answer was lost" } : (answer as HandOverAnswer);
        };
        const { audit, counters, events, resting } = ports;
        return {
          ...ports,
          targets: {
            handOver: async (handOvers) => {
              const answers: HandOverAnswer[] = [];
              for (const one of handOvers) answers.push(await handOver(one));
              return answers;
            },
          },
          audit: {
            claim: mortal(audit.claim),
            takeOver: mortal(audit.takeOver),
            settle: mortal(audit.settle),
            release: mortal(audit.release),
            progress: mortal(audit.progress),
          },
          counters: { add: mortal(counters.add), take: mortal(counters.take) },
          events: { send: mortal(events.send) },
          resting: {
            receive: mortal(resting.receive),
            remove: mortal(resting.remove),
            giveBack: mortal(resting.giveBack),
          },
        };
      },
    },
  };
  return mischief;
};
