import { writeJudged } from "../contended.ts";
import type { PassResult } from "../events.ts";
import { lookAt, lookWhenDue } from "../looks.ts";
import type { PassRecord } from "../records.ts";
import { isOrdered, placeKey } from "../resting.ts";
import { lookBehind, withUnseen } from "./ordered-passes.ts";
import { lateMarks, newRound, orderPass, type PassPorts, pauseAfter } from "./passes.ts";

/**
 * A pass is over. A full round is remembered; what comes next (at once, a second later for the sake of live messages, when time has come)
 * is a look at the place.
 */
export const closePass = async (ports: PassPorts, told: PassResult, now: number): Promise<"closed" | "another's"> => {
  const key = placeKey(told.place);
  const stored = await ports.brain.read("pass", "", key);
  if (stored?.value.pass !== told.pass) return "another's";
  const result = withUnlooked(await withUnseen(ports, told, now), stored.value, now);
  await writeJudged(ports.brain, "pass", "", key, closed(stored.value, result, now), stored.revision);
  const { place, complete, refused, spent, dueAt, moved, renewed, counter } = result;
  const { self } = ports.identity;
  const isCleared = complete && counter > (stored.value.round?.counter ?? 0);
  const looks = [
    ...(!complete && !spent && moved + renewed > 0 ? [lookAt(self, place, 1)] : []),
    ...(isCleared ? [lookAt(self, place, lateMarks(ports.longest))] : []),
    ...((complete || refused || spent) && dueAt !== undefined ? lookWhenDue(self, place, dueAt, now) : []),
  ];
  if (looks.length > 0) await ports.events.send(looks);
  if (place.to === "queue" && complete) await orderPass(ports, place, now);
  if (place.to === "undelivered" && isOrdered(place) && complete && result.left === 0) await lookBehind(ports, place.link);
  return "closed";
};

const never = Number.POSITIVE_INFINITY;

/** What a pass that ended with a rate's window didn't come to may be due before the next one. */
const withUnlooked = (result: PassResult, { round: { restsUntil = 0 } = newRound }: PassRecord, now: number): PassResult =>
  result.spent && restsUntil > now ? { ...result, dueAt: Math.min(result.dueAt ?? never, restsUntil) } : result;

/**
 * A place too large to be gone round, in which all that was seen stays, is looked through by the hour only. A pass that came to less, since
 * something was slow, is made good the sooner.
 */
const vainPause = 3_600_000;
const pauseForEachSeen = vainPause / 50_000;
const pauseInVain = (left: number): number => Math.min(left * pauseForEachSeen, vainPause);

const closed = (stored: PassRecord, result: PassResult, now: number): PassRecord => {
  const { counter, viewRevision, moved, renewed, left, complete, failed, refused, spent, behind, olderThan } = result;
  const isVain = !complete && !failed && moved + renewed === 0 && left > 0 && !refused && !spent;
  // Of a target that refused the first it was handed no breaker need be open.
  const found = complete || isVain || refused || spent ? Math.min(result.dueAt ?? never, isVain ? now + pauseInVain(left) : never) : never;
  // Dispatch may have told of something that came to rest behind the pass; what broke off has it all to do still.
  const isStillDue = failed || (stored.dueAt ?? 0) > now;
  const dueAt = Math.min(found, isStillDue ? (stored.dueAt ?? never) : never);
  const atLeast = complete ? left : Number.MAX_SAFE_INTEGER;
  const restsUntil = spent ? (stored.round?.restsUntil ?? 0) : now + pauseAfter(atLeast);
  const seen = { counter, viewRevision, restsUntil, left: atLeast, ...(behind && { behind }) };
  const { emptySince = now, unfinished: _, dueAt: _due, ...before } = stored;
  return {
    ...before,
    leaseUntil: 0,
    ...(!complete && !spent && (failed || moved + renewed > 0) && { unfinished: true }),
    ...((complete || isVain || spent) && { round: seen }),
    ...(complete && moved + renewed + left === 0 && { emptySince }),
    ...(dueAt !== never && { dueAt }),
    ...(olderThan !== undefined && { carryOver: { olderThan, done: complete } }),
  };
};
