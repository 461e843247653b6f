import type { ClaimKey } from "../../carry/claim.ts";
import { arrivalKey } from "../../carry/scope.ts";
import { destinationKey } from "../../destination/destination.ts";
import type { Arrival } from "../../message/arrival.ts";
import { foundExpiredIn, isMovedBack } from "../../message/dead-letter.ts";
import type { TransportRecord } from "../../message/message.ts";
import type { HandOverAnswer, Subscriptions } from "../../ports.ts";
import type { ControlEvent } from "../events.ts";
import { type CarryPorts, carryOut, type Delivered, type Laden } from "./carrying.ts";
import { type ArrivalDoor, decoderAt } from "./door.ts";
import { planFed } from "./feeding.ts";
import { gathering } from "./gathering.ts";
import { isSending, linkOf } from "./handing-over.ts";
import { behindItsGroup, type Outcome, outcomeOf, outOfTime } from "./outcome.ts";
import { boundsOf, type Planned, type PlanPorts, planAll } from "./planned.ts";
import { markResting } from "./resting-marks.ts";
import { buryUndecodable } from "./undecodable.ts";
import { inWaves } from "./waves.ts";

export interface IntakePorts extends PlanPorts, CarryPorts {
  readonly subscriptions: Pick<Subscriptions, "confirm">;
}

/**
 * One batch through one door. Answers what to delete and what comes again; never throws for a single record. At a FIFO door the rest of a
 * group comes again with the record that must.
 * `mayContinue`: false from when the invocation's time is nearly over; what wasn't begun then comes again at once, unclaimed.
 */
export const intake = async (
  ports: IntakePorts,
  door: ArrivalDoor,
  records: readonly TransportRecord[],
  now: number,
  mayContinue: () => boolean,
): Promise<readonly Outcome[]> => {
  if (!mayContinue()) return records.map(outOfTime);
  const { events, flush } = gathering(ports.events);
  const outcomes = await inWaves(records, (wave) => takeIn({ ...ports, events }, door, wave, now), {
    stops: ({ ends }) => ends.is === "again",
    behind: behindItsGroup,
    mayContinue,
    unbegun: outOfTime,
  });
  await flush();
  return outcomes;
};

/**
 * Decode all, plan all, carry what is sent (marking what rests), tell control.
 * Crash window: `carry`'s; after it, a copy that comes again is dropped as a duplicate.
 */
const takeIn = async (
  ports: IntakePorts,
  door: ArrivalDoor,
  records: readonly TransportRecord[],
  now: number,
): Promise<readonly Outcome[]> => {
  const broker = await ports.views.broker();
  const arrivals = records.map(decoderAt(door, ports.identity, broker));
  const foundExpired = new Map(door.door === "ingress" ? records.map((record) => [record.ref, foundExpiredIn(record)]) : []);
  const bounds = arrivals.flatMap((arrival) =>
    arrival.arrival === "message" ? boundsOf({ ...arrival, foundExpired: foundExpired.get(arrival.ref) }) : [],
  );

  const planned = await (door.door === "feed" ? planFed : planAll)(ports, bounds, broker, now);
  const others = planned.filter((one) => !isSending(one));
  const movedBack = new Set(records.filter(isMovedBack).map(({ ref }) => ref));
  const keyOf = ({ ref, message, plan }: Planned): ClaimKey =>
    arrivalKey(movedBack.has(ref) ? { ...message, id: ref } : message, door.door, message.destination, linkOf(plan));
  const accepted = (loads: readonly Laden[]): Promise<void> => markResting(ports.counters, loads);
  const delivered = await carryOut(
    ports,
    { keyOf, onRefusal: "rest", accepted, policies: broker.slice.destinationPolicies ?? [], connectors: broker.slice.connectors },
    planned.filter(isSending),
    now,
  );
  const buried = await buryUndecodable(ports.targets, door, records, arrivals);
  const confirmed = await confirmAll(ports.subscriptions, arrivals);
  await tellControl(ports, arrivals, others, delivered);

  const results = Map.groupBy<string, Planned | Delivered>([...delivered, ...others], (one) => ("end" in one ? one.load.ref : one.ref));
  return arrivals.map((arrival, index) =>
    outcomeOf(
      arrival,
      results.get(arrival.ref) ?? [],
      buried.get(arrival.ref) ?? confirmed.get(arrival.ref),
      records[index]?.receiveCount ?? 1,
    ),
  );
};

/** Subscriptions of our inbound that peers have asked SNS for. One that it doesn't confirm now comes again, alone. */
const confirmAll = async (
  { confirm }: IntakePorts["subscriptions"],
  arrivals: readonly Arrival[],
): Promise<ReadonlyMap<string, HandOverAnswer>> => {
  const asked = arrivals.filter((arrival) => arrival.arrival === "confirmation");
  const answers = asked.map(async ({ ref, topicArn, token }) => {
    const answer = await confirm(topicArn, token).then(
      (): HandOverAnswer => ({ answer: "accepted" }),
      (error: Error): HandOverAnswer => ({ answer: "silent", why: error.message }),
    );
    return [ref, answer] as const;
  });
  return new Map(await Promise.all(answers));
};

/** Probes are for control; a destination that isn't here (or is here no more) is asked for, once per batch. */
const tellControl = async (
  { identity, events }: IntakePorts,
  arrivals: readonly Arrival[],
  others: readonly Planned[],
  delivered: readonly Delivered[],
): Promise<void> => {
  const hellos = arrivals.flatMap((arrival): ControlEvent[] =>
    arrival.arrival === "probe" ? [{ event: "hello", hello: arrival.hello }] : [],
  );
  const unknown = others.filter(({ plan }) => plan.plan === "later" && plan.reason === "unknown-destination");
  const gone = delivered.flatMap((one) => (isGone(one) ? [one.load] : []));
  const missing = new Set([...unknown, ...gone].map(({ message }) => destinationKey(message.destination)));
  const creates = [...missing].map((destination): ControlEvent => ({ event: "create", destination }));
  const told = [...hellos, ...creates].map((event) => ({ to: identity.self, event }));
  if (told.length > 0) await events.send(told);
};

/** Its target was here once. */
const isGone = (delivered: Delivered): boolean =>
  delivered.end === "again" &&
  delivered.answer.answer === "refused" &&
  delivered.answer.cause === "missing" &&
  delivered.load.plan.plan !== "dead-letter";
