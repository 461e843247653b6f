import type { Brain, Counters, Depths, Events, Passes, Stored } from "../../ports.ts";
import type { DrainedPlace, RestingPlace } from "../../routing/plan.ts";
import type { Candidate } from "../../routing/view.ts";
import { writeJudged } from "../contended.ts";
import type { PassOrder } from "../events.ts";
import type { Identity } from "../identity.ts";
import { longestDelay, lookWhenDue } from "../looks.ts";
import { newPassRecord } from "../reading.ts";
import type { PassRecord } from "../records.ts";
import { holdsSome, isOrdered, orderedShelter, placeKey, restingCounter } from "../resting.ts";
import { viewLife } from "./views.ts";

export interface PassPorts {
  readonly identity: Pick<Identity, "self">;
  readonly brain: Brain;
  readonly counters: Counters;
  readonly depths: Depths;
  readonly passes: Passes;
  readonly events: Events;
  /** Milliseconds that an invocation of dispatch may run. */
  readonly longest: number;
}
type Round = NonNullable<PassRecord["round"]>;
export const newRound: Round = { counter: 0, viewRevision: 0, left: 0 };
type QueuePlace = Extract<RestingPlace, { to: "queue" }>;

/** Longer than a pass can run, and as long as it hides what it received; a lost invocation is made good when it is over. */
const passLease = (longest: number): number => 2 * longest;
/** Seconds in which dispatch may still rest a message by what it read before a round: a view's life, and the longest invocation. */
export const lateMarks = (longest: number): number => Math.min(Math.ceil((viewLife + longest) / 1_000), longestDelay);

/**
 * Orders a drain pass of a queue if something may be in it that a candidate other than its own consumers would take, unless a pass is
 * under way or the last full round saw the same counter and the same view. Where candidates choose by selectors, or nobody is, a round may leave
 * much for good: the more it left, the later the next. `visible`: a reading of its depth, where there is one.
 */
export const orderPass = async (ports: PassPorts, place: QueuePlace, now: number, visible?: number): Promise<void> => {
  const key = placeKey(place);
  const [view, stored, counter] = await Promise.all([
    ports.brain.read("view", "", key),
    ports.brain.read("pass", "", key),
    ports.counters.add(restingCounter(place), 0),
  ]);
  const candidates = view?.value.candidates ?? [];
  const { round = newRound, unfinished = false, dueAt = Number.POSITIVE_INFINITY } = stored?.value ?? {};
  // Where nobody is, something may have expired.
  const isForNobody = candidates.length === 0 && dueAt <= now;
  if (!view) return;
  if (candidates.every(({ to }) => to === "consumers") && !isForNobody) return forgetDue(ports, key, stored, now);
  const isNews = async (): Promise<boolean> =>
    counter > round.counter || (round.left > 0 && round.viewRevision !== view.revision) || (await hasDirectSends());
  // A producer may send straight to the queue: its depth is all that shows it. Local consumers serve such a queue by themselves.
  const hasDirectSends = async (): Promise<boolean> =>
    !candidates.some(({ to }) => to === "consumers") && (visible ?? (await ports.depths.visible(place))) > round.left;
  const isDue = unfinished || dueAt <= now || (await hasClosed(ports, place, round));
  if (!isDue && !(await isNews())) return;
  const from = isForNobody || candidates.some(({ selectors }) => selectors) ? (round.restsUntil ?? 0) : now;
  const paced = isOneWay(candidates) ? pace : pacedAfter(round, now);
  if ((isDue && !isForNobody) || from <= now) await startPass(ports, place, { counter, viewRevision: view.revision, ...paced }, now);
  else await ports.events.send(lookWhenDue(ports.identity.self, place, from, now));
};

/** What is due is for its own consumers to find. */
const forgetDue = async ({ brain }: PassPorts, key: string, stored: Stored<PassRecord> | undefined, now: number): Promise<void> => {
  const { dueAt, ...record } = stored?.value ?? newPassRecord;
  if (stored && dueAt !== undefined && dueAt <= now) await writeJudged(brain, "pass", "", key, record, stored.revision);
};

/** Do all that wait for a rate wait for the same? Not where a message's selector or path says which link may have it. */
const isOneWay = (candidates: readonly Candidate[]): boolean =>
  candidates.every(({ selectors }) => !selectors) && new Set(candidates.flatMap((one) => (one.to === "link" ? [one.link] : []))).size < 2;

/** Milliseconds for each message that a round left. */
const pauseForEach = 10;

/** How long what a round left isn't gone through again only because it might be worth while. */
export const pauseAfter = (left: number): number => Math.min(left * pauseForEach, longestDelay * 1_000);

/** Passes that may end with a rate's window: so long after one that went all the way round. */
export const pacedAfter = ({ restsUntil = 0 }: Pick<Round, "restsUntil"> = newRound, now: number): typeof pace | undefined =>
  restsUntil > now ? pace : undefined;
const pace = { paced: true } as const;

/** Has one of the breakers closed that held back what the round left? Of a FIFO queue the link's shelter goes first. */
const hasClosed = async (ports: PassPorts, place: QueuePlace, { behind = [] }: Round): Promise<boolean> => {
  if (behind.length === 0) return false;
  const { breakers = [] } = (await ports.brain.read("broker", "", "broker"))?.value ?? {};
  const closed = behind.filter((link) => !breakers.includes(link));
  if (!isOrdered(place)) return closed.length > 0;
  return (await Promise.all(closed.map((link) => holdsSome(ports, orderedShelter(link))))).includes(false);
};

type Seen = Pick<PassOrder, "counter" | "viewRevision" | "olderThan" | "paced">;
/** Where neither counter nor view says what came since: a private queue, a link's shelter. */
export const nothingSeen: Seen = { counter: 0, viewRevision: 0 };

/** Starts a pass unless one is under way. */
export const startPass = async (
  { brain, passes, longest }: Pick<PassPorts, "brain" | "passes" | "longest">,
  place: DrainedPlace,
  seen: Seen,
  now: number,
): Promise<void> => {
  const key = placeKey(place);
  const stored = await brain.read("pass", "", key);
  const { value: before, revision } = stored ?? { value: newPassRecord, revision: 0 };
  if (before.leaseUntil > now) return;
  const pass = `${now}.${revision}`;
  const { olderThan } = seen;
  const started = {
    ...before,
    pass,
    leaseUntil: now + passLease(longest),
    ...(olderThan !== undefined && { carryOver: { olderThan, done: false } }),
  };
  await writeJudged(brain, "pass", "", key, started, revision);
  const receiveLimit = before.reading?.receiveLimit;
  await passes.start({ place, pass, ...seen, ...(receiveLimit !== undefined && { receiveLimit }) });
};

/** What passes saw of a place that is gone, or is another's now, counts no more. */
export const forgetPass = async (brain: Brain, place: DrainedPlace): Promise<void> => {
  const pass = await brain.read("pass", "", placeKey(place));
  if (pass) await writeJudged(brain, "pass", "", placeKey(place), undefined, pass.revision);
};
