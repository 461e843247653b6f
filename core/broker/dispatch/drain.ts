import type { ClaimKey } from "../../carry/claim.ts";
import { restingKey } from "../../carry/scope.ts";
import type { LinkId } from "../../ids.ts";
import type { TransportRecord } from "../../message/message.ts";
import type { RestingCopy, RestingQueue } from "../../ports.ts";
import type { DrainedPlace, RestingPlace } from "../../routing/plan.ts";
import type { PassOrder } from "../events.ts";
import { placeKey } from "../resting.ts";
import { carryOut, isSending, targetOf } from "./carrying.ts";
import { decodeAt } from "./door.ts";
import type { IntakePorts } from "./intake.ts";
import { type Bound, boundsOf, type Planned, planAll } from "./planned.ts";

/** Its `views` aren't cached: a full round must have seen the view that control ordered it by. */
export interface DrainPorts extends IntakePorts {
  readonly resting: RestingQueue;
}

/** How many copies a pass holds back at most: SQS lets 120,000 of a queue be in flight. */
const mostHeld = 50_000;

/**
 * One pass over a resting place: receive, judge each message anew, send what has a candidate elsewhere, delete it; what stays is held
 * until the pass has gone round, so that it isn't received twice, then given back at once. Tells control what it did, also when it fails.
 * Crash window: sent but not deleted comes out again when its visibility ends, and is dropped as done; held copies come back likewise.
 * `mayContinue`: false when the invocation's time is nearly over; the next order goes on.
 */
export const drainPass = async (ports: DrainPorts, order: PassOrder, clock: () => number, mayContinue: () => boolean): Promise<void> => {
  const held: RestingCopy[] = [];
  let moved = 0;
  let complete = false;
  const turn = async (): Promise<"goes on" | "ends"> => {
    const copies = await ports.resting.receive(order.place);
    complete = copies.length === 0;
    const results = await moveOn(ports, order.place, copies, clock());
    const gone = copies.filter(({ ref }) => results.get(ref) === "moved");
    held.push(...copies.filter(({ ref }) => results.get(ref) !== "moved").map(withoutBody));
    await ports.resting.remove(order.place, gone);
    moved += gone.length;
    return complete || !mayContinue() || held.length >= mostHeld || refusedAll(results) ? "ends" : "goes on";
  };
  try {
    while ((await turn()) === "goes on");
  } finally {
    await ports.resting.giveBack(order.place, held);
    const result = { ...order, moved, left: held.length, complete };
    await ports.events.send([{ to: ports.identity.self, event: { event: "pass-result", result } }]);
  }
};

/** What is held is only given back. */
const withoutBody = (copy: RestingCopy): RestingCopy => ({ ...copy, body: "", attributes: {} });

type Moved = "moved" | "refused";

/** As they came, to the one link that they wait for: its receiver knows which of them it has. */
const redrive = async ({ targets }: DrainPorts, link: LinkId, copies: readonly TransportRecord[]): Promise<ReadonlyMap<string, Moved>> => {
  const answers = await targets.handOver(
    copies.map(({ body, attributes }) => ({ target: { to: "link", link }, wire: { body, attributes } })),
  );
  return new Map(copies.map(({ ref }, index) => [ref, answers[index]?.answer === "accepted" ? "moved" : "refused"]));
};

const moveOn = async (
  ports: DrainPorts,
  place: DrainedPlace,
  copies: readonly TransportRecord[],
  now: number,
): Promise<ReadonlyMap<string, Moved>> => {
  if (copies.length === 0) return new Map();
  if (place.to === "undelivered") return redrive(ports, place.link, copies);
  const broker = await ports.views.broker();
  const arrivals = copies.map((copy) => decodeAt({ door: "rest", place }, copy, ports.identity, broker));
  const bounds = arrivals.flatMap((arrival): Bound[] => (arrival.arrival === "message" ? boundsOf(arrival) : []));
  const planned = await planAll(ports, bounds, broker, now);
  const leaving = planned.filter((plan) => isSending(plan) && !staysIn(place, plan));
  const keyOf = ({ ref }: Planned): ClaimKey => restingKey(placeKey(place), ref);
  const delivered = await carryOut(
    ports,
    { keyOf, onRefusal: "leave", accepted: async () => {}, policies: broker.slice.destinationPolicies ?? [] },
    leaving,
    now,
  );
  return new Map(delivered.map(({ load, end }) => [load.ref, end === "carried" || end === "duplicate" ? "moved" : "refused"]));
};

/** Its own place is where the plan would put it. */
const staysIn = (place: RestingPlace, { plan, message }: Planned): boolean => {
  const target = targetOf(plan, message);
  return (target.to === "queue" || target.to === "private") && placeKey(target) === placeKey(place);
};

const refusedAll = (results: ReadonlyMap<string, Moved>): boolean =>
  results.size > 0 && [...results.values()].every((moved) => moved === "refused");
