import type { RestingCopy, RestingQueue } from "../../ports.ts";
import type { Plan, Reason } from "../../routing/plan.ts";
import type { PassOrder, PassResult } from "../events.ts";
import { isOrdered } from "../resting.ts";
import type { IntakePorts } from "./intake.ts";
import { type Judged, moveOn, staysIn } from "./moving.ts";
import { isWorn, renew } from "./renewing.ts";

/** Its `views` aren't cached: a full round must have seen the view that control ordered it by. */
export interface DrainPorts extends IntakePorts {
  readonly resting: RestingQueue;
}

/** What a pass did, and why what it left for want of a candidate rests: how many copies for each reason. */
export interface Round extends PassResult {
  readonly rests: Readonly<Partial<Record<Reason, number>>>;
}

/** How many copies a pass holds back at most: SQS lets 120,000 of a queue be in flight. */
const mostHeld = 50_000;
/** How many it moves at most: live messages come first at the next broker, the next pass follows a second later. */
const mostMoved = 500;
/** So many receives at once while they come back full. */
const widest = 8;

/**
 * One pass over a place: receive, judge each message anew, send what has a place elsewhere, delete it; what stays is held until the pass
 * has gone round (so that it isn't received twice) or a consumer has come, then given back at once. Answers what it did, and tells control
 * also when it fails.
 * Crash window: sent but not deleted comes out again when its visibility ends, and is dropped as done; held copies come back likewise.
 * `mayContinue`: false from when the invocation's time is nearly over; the next order goes on.
 */
export const drainPass = async (ports: DrainPorts, order: PassOrder, clock: () => number, mayContinue: () => boolean): Promise<Round> => {
  const { place } = order;
  const startedAt = clock();
  const held: Held[] = [];
  const done = { moved: 0, renewed: 0, complete: false, refused: false, spent: false, failed: false };
  let receives = 1;
  const turn = async (): Promise<"goes on" | "ends"> => {
    const copies = await receive(ports.resting, order, receives);
    done.complete = copies.length === 0;
    const judged = await judge(ports, order, copies, clock(), mayContinue);
    const moved = judged.filter(({ fate }) => fate === "moved").map(({ copy }) => copy);
    const staying = judged.filter(({ fate }) => fate !== "moved");
    // Sent anew it would stand behind its group.
    const worn = isOrdered(place) ? [] : staying.filter(({ copy }) => isWorn(copy, order, startedAt));
    const renewed = await renew(ports, order, worn, clock());
    const kept = staying.filter(({ copy }) => !renewed.includes(copy)).map((one) => heldIn(order, one));
    const isReturn = held.some(({ isForConsumers }) => !isForConsumers) && kept.some(({ isForConsumers }) => isForConsumers);
    held.push(...kept);
    await ports.resting.remove(place, [...moved, ...renewed]);
    done.moved += moved.length;
    done.renewed += renewed.length;
    const isFull = copies.length === receives * 10;
    receives = isFull ? Math.min(2 * receives, widest, Math.ceil((mostMoved - done.moved) / 10)) : 1;
    done.refused = isAll(judged, ({ fate }) => fate === "refused");
    done.spent = order.paced === true && isAll(judged, ({ spent }) => spent === true);
    const isEnough = held.length >= mostHeld || done.moved >= mostMoved;
    return done.complete || isEnough || isReturn || done.refused || done.spent || !mayContinue() ? "ends" : "goes on";
  };
  const resultSoFar = (): PassResult => {
    const { refused, spent, failed, ...numbers } = done;
    const ended = { ...(failed && { failed }), ...(refused && { refused }), ...(spent && { spent }) };
    return { ...order, ...numbers, left: leftOf(order, held), ...ended, ...awaitedBy(held) };
  };
  try {
    while ((await turn()) === "goes on");
  } catch (error) {
    done.failed = true;
    throw error;
  } finally {
    await ports.resting.giveBack(
      place,
      held.map(({ copy }) => copy),
    );
    await ports.events.send([{ to: ports.identity.self, event: { event: "pass-result", result: resultSoFar() } }]);
  }
  return { ...resultSoFar(), rests: reasonsOf(held) };
};

const reasonsOf = (held: readonly Held[]): Round["rests"] => {
  const reasons = held.flatMap(({ rests }) => rests?.reason ?? []);
  return Object.fromEntries([...Map.groupBy(reasons, (reason) => reason)].map(([reason, its]) => [reason, its.length]));
};

const receive = async (resting: RestingQueue, { place }: PassOrder, receives: number): Promise<readonly RestingCopy[]> =>
  (await Promise.all(Array.from({ length: receives }, () => resting.receive(place)))).flat();

/**
 * What waits for a link alone stays where it is while it is carried over: nobody knows whether the link carries. What a durable subscription
 * has gathered never goes elsewhere.
 */
const judge = async (
  ports: DrainPorts,
  { place, olderThan }: PassOrder,
  copies: readonly RestingCopy[],
  now: number,
  mayContinue: () => boolean,
) =>
  place.to === "own-queue" || (place.to === "undelivered" && olderThan !== undefined)
    ? copies.map((copy): Judged => ({ copy, fate: "stays" }))
    : moveOn(ports, place, copies, now, mayContinue);

/** A copy without its body: it is only given back. */
interface Held {
  readonly copy: RestingCopy;
  /** What it waits for, if its plan is to rest. */
  readonly rests: Extract<Plan, { plan: "rest" }> | undefined;
  readonly isForConsumers: boolean;
  readonly againAt: number | undefined;
}

const heldIn = ({ place }: PassOrder, { copy, planned, againAt }: Judged): Held => ({
  copy: { ...copy, body: "", attributes: {} },
  rests: planned?.plan.plan === "rest" ? planned.plan : undefined,
  isForConsumers: planned?.plan.plan === "hand-over" && staysIn(place, planned),
  againAt,
});

/** A group that local consumers take holds nobody back: its later messages go to them, too. */
const leftOf = ({ place }: PassOrder, held: readonly Held[]): number =>
  isOrdered(place) ? held.filter(({ isForConsumers }) => !isForConsumers).length : held.length;

/** What makes another round worth it. */
const awaitedBy = (held: readonly Held[]): Pick<PassResult, "dueAt" | "behind"> => {
  const moments = held.flatMap(({ rests, againAt }) => againAt ?? rests?.until ?? []);
  const behind = [...new Set(held.flatMap(({ rests }) => rests?.behind ?? []))];
  return { ...(moments.length > 0 && { dueAt: Math.min(...moments) }), ...(behind.length > 0 && { behind }) };
};

/** Its target refuses, or takes no more for now: a whole backlog needn't be tried. */
const isAll = (judged: readonly Judged[], is: (one: Judged) => boolean): boolean => judged.length > 0 && judged.every(is);
