import type { DrainPorts } from "../../../core/broker/dispatch/drain.ts";
import type { PassOrder } from "../../../core/broker/events.ts";
import type { HandOver, HandOverAnswer } from "../../../core/ports.ts";
import { Crash, type Disturbance } from "../../support/simulator/disturbance.ts";
import { bodiesIn } from "../cells.ts";
import type { Fates } from "../fates.ts";
import type { Reached } from "../reached.ts";
import { takenOver } from "../taken-over.ts";
import { carriedAgain } from "./carried-again.ts";
import { readerOf } from "./naming.ts";
import { openWindows } from "./open-windows.ts";
import type { Carrier, OrderedWindows } from "./ordered-windows.ts";

/** One in so many calls. */
const [rare, often, usual] = [36, 12, 4];
/** Of which there are few calls, or few that concern messages. */
const rarities: Readonly<Record<string, number>> = {
  counter: often,
  event: usual,
  receive: usual,
  remove: usual,
  "give back": 3,
  "take-over": usual,
  release: usual,
};

/** Calls that fail by an error: others have an answer for that. */
const throwing: readonly string[] = ["counter", "event", "receive", "give back"];

/** Lets whoever else is at work go on for up to so many turns, in every other call: no time goes by. */
const turns = async (draw: number, most = 60): Promise<void> => {
  for (let turn = 0; turn < (2 * draw - 1) * most; turn += 1) await undefined;
};

/** What goes wrong inside an invocation of dispatch. `reached`: by what some target accepted, or may have. `trueTime`: by no clock that jumps. */
export const dispatchTroubles = (
  fates: Fates,
  ledger: OrderedWindows,
  reached: Reached,
  trueTime: () => number,
): Disturbance["invocation"] => {
  const overtaken = takenOver(trueTime);
  return <P extends DrainPorts>(ports: P, work: "batch" | "pass", about: unknown): P => {
    const order = work === "pass" ? (about as PassOrder) : undefined;
    const windows = openWindows(order ?? "batch", ledger, ports.identity.self, overtaken.was);
    const unaudited = carriedAgain(ledger);
    const by: Carrier = { at: ports.identity.self, ...(order && { place: order.place }) };
    let isDead = false;
    const ended = (how: "dead" | "alive"): void => {
      windows.ended(how);
      unaudited.ended();
    };

    /** The call may fail; after it, the invocation may die: the dead call nothing any more. */
    const mortal =
      <A extends readonly unknown[], R>(port: string, call: (...args: A) => Promise<R>) =>
      async (...args: A): Promise<R> => {
        if (isDead) throw new Crash(port);
        const rarity = rarities[port] ?? (work === "pass" ? often : port === "hand-over" ? 2 * often : rare);
        if (throwing.includes(port) && fates.strikes("throttling", port, rarity, args, about)) return failed(`${port}: throttled`);
        const answer = await call(...args);
        if (!fates.strikes("crash", port, rarity, [args, answer], about)) return answer;
        isDead = true;
        ended("dead");
        throw new Crash(port);
      };

    /** The invocation ends with what it does for this case. */
    const failed = (why: string): never => {
      ended("dead");
      throw new Crash(why);
    };

    const handOver = async (one: HandOver): Promise<HandOverAnswer> => {
      if (fates.strikes("throttling", "hand-over", often, one)) return { answer: "refused", cause: "throttled", why: "slow down" };
      if (fates.strikes("no answer, not accepted", "hand-over", often, one)) return { answer: "silent", why: "no answer in 3 s" };
      const [answer = { answer: "silent", why: "nothing said" }] = await ports.targets.handOver([one]);
      if (answer.answer === "refused") return answer;
      reached.note(bodiesIn(one.wire.body), readerOf(one));
      const isLost = answer.answer === "accepted" && fates.strikes("lost answer", "hand-over", often, one);
      const heard: HandOverAnswer = isLost ? { answer: "silent", why: "the answer was lost" } : answer;
      ledger.handed(one, answer.answer, by);
      windows.handed(one, heard.answer);
      return heard;
    };

    return {
      ...ports,
      targets: {
        handOver: mortal("hand-over", async (handOvers) => {
          if (work === "batch") await turns(fates.draw("slower than another"));
          const answers: HandOverAnswer[] = [];
          for (const one of handOvers) {
            const answer = await handOver(one);
            unaudited.answered(one, answer.answer);
            answers.push(answer);
          }
          if (new Set(answers.map(({ answer }) => answer)).size > 1) fates.struck("partial failure", "hand-over", handOvers);
          return answers;
        }),
      },
      audit: {
        claim: mortal("claim", async (claims, now) => {
          if (fates.strikes("throttling", "claim", rare, claims))
            return claims.map(() => ({ answer: "unknown", why: "throttled" }) as const);
          const answers = await ports.audit.claim(claims, now);
          windows.claimed(claims, answers);
          overtaken.claimed(claims.filter((_, index) => answers[index]?.answer === "granted"));
          return answers.map((answer, index) =>
            fates.strikes("lost answer", "claim", often, claims[index])
              ? ({ answer: "unknown", why: "the answer was lost" } as const)
              : answer,
          );
        }),
        takeOver: mortal("take-over", async (claim, found, now) => {
          const answer = await ports.audit.takeOver(claim, found, now);
          if (answer === "granted") overtaken.note(claim, found, now); // heard or not: progress of whom it was taken from is none any more
          return fates.strikes("lost answer", "take-over", usual, claim) ? "lost" : answer;
        }),
        settle: mortal("settle", async (claims, now) => {
          const failing = claims.map((claim) => fates.strikes("fails for good", "settle", often, claim));
          const going = claims.filter((_, index) => !failing[index]);
          const answers = (going.length > 0 ? await ports.audit.settle(going, now) : []).values();
          windows.settled(going);
          windows.unsettled(claims.filter((_, index) => failing[index]));
          return claims.map((claim, index) => {
            const answer = failing[index] ? undefined : answers.next().value;
            return !answer || fates.strikes("lost answer", "settle", often, claim) ? "unsettled" : answer;
          });
        }),
        release: mortal("release", async (claims) => {
          const failing = claims.map((claim) => fates.strikes("fails for good", "release", usual, claim));
          const answers = (await ports.audit.release(claims.filter((_, index) => !failing[index]))).values();
          return failing.map((fails) => (fails ? "unreleased" : (answers.next().value ?? "unreleased")));
        }),
        progress: mortal("progress", async (claims) => {
          const failing = claims.filter((claim) => fates.strikes("fails for good", "progress", usual, claim));
          const going = claims.filter((claim) => !failing.includes(claim));
          await ports.audit.progress(going);
          windows.settled(going);
          windows.unsettled(failing);
        }),
      },
      counters: { add: mortal("counter", ports.counters.add), take: mortal("counter", ports.counters.take) },
      events: {
        send: mortal("event", async (events) => {
          unaudited.awaits(events.flatMap(({ event }) => (event.event === "create" ? [event.destination] : [])));
          await ports.events.send(events);
        }),
      },
      resting: {
        receive: mortal("receive", async (place) => {
          const copies = await ports.resting.receive(place);
          windows.received(copies);
          return copies;
        }),
        remove: mortal("remove", async (place, copies) => {
          const failing = copies.filter((copy) => fates.strikes("partial failure", "remove", usual, copy));
          const going = copies.filter((copy) => !failing.includes(copy));
          await ports.resting.remove(place, going);
          windows.removed(going);
          unaudited.removed(going);
          if (failing.length > 0) failed(`${failing.length} of ${copies.length} messages stay`);
        }),
        giveBack: mortal("give back", async (place, copies) => {
          ended("alive");
          await ports.resting.giveBack(place, copies);
        }),
      },
    };
  };
};
