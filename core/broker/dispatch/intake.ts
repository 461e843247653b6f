import { destinationKey } from "../../destination/destination.ts";
import type { Arrival } from "../../message/arrival.ts";
import type { TransportRecord } from "../../message/message.ts";
import type { Counters, Events, Subscriptions, Targets } from "../../ports.ts";
import type { ControlEvent } from "../events.ts";
import { restingCounter } from "../resting.ts";
import { type Door, decodeAt } from "./door.ts";
import { type Handed, handOverAll, isSending } from "./hand-over.ts";
import { type Outcome, outcomeOf } from "./outcome.ts";
import { boundsOf, type Planned, type PlanPorts, planAll } from "./planned.ts";
import { buryUndecodable } from "./undecodable.ts";

export interface IntakePorts extends PlanPorts {
  readonly targets: Targets;
  readonly events: Events;
  readonly subscriptions: Pick<Subscriptions, "confirm">;
}

/**
 * One batch through one door: decode all, plan all, hand over, mark what rests, tell control. Answers what to delete and what comes
 * again; never throws for a single record.
 * Crash window: after a target accepted and before the source's delete the copy comes again (closed by the audit, later).
 */
export const intake = async (
  ports: IntakePorts,
  door: Door,
  records: readonly TransportRecord[],
  now: number,
): Promise<readonly Outcome[]> => {
  const broker = await ports.views.broker();
  const arrivals = records.map((record) => decodeAt(door, record, ports.identity, broker));
  const bounds = arrivals.flatMap((arrival) => (arrival.arrival === "message" ? boundsOf(arrival) : []));

  const planned = await planAll(ports, bounds, broker, now);
  const handed = await handOverAll(ports.targets, planned.filter(isSending), ports.identity, "rest");
  const buried = await buryUndecodable(ports.targets, door, records, arrivals);
  await markResting(ports.counters, handed);
  await tellControl(ports, arrivals, [...planned.filter((plan) => !isSending(plan)), ...handed]);

  const results = Map.groupBy([...handed, ...planned.filter((plan) => !isSending(plan))], ({ ref }) => ref);
  return arrivals.map((arrival, index) =>
    outcomeOf(arrival, results.get(arrival.ref) ?? [], buried.get(arrival.ref), records[index]?.receiveCount ?? 1),
  );
};

/** After the hand-over to rest and before the copy is deleted, so that control knows of every resting message. */
const markResting = async (counters: Counters, handed: readonly Handed[]): Promise<void> => {
  const rested = handed.filter(({ plan, answer }) => plan.plan === "rest" && answer.answer === "accepted");
  const byQueue = Map.groupBy(rested, ({ message }) => restingCounter({ to: "queue", destination: message.destination }));
  await Promise.all([...byQueue].map(([counter, copies]) => counters.add(counter, copies.length)));
};

/** Probes are for control, confirmations for SNS; a destination that isn't here (or is here no more) is asked for, once per batch. */
const tellControl = async (
  { identity, events, subscriptions }: IntakePorts,
  arrivals: readonly Arrival[],
  results: readonly (Planned | Handed)[],
): Promise<void> => {
  const hellos = arrivals.flatMap((arrival): ControlEvent[] =>
    arrival.arrival === "probe" ? [{ event: "hello", hello: arrival.hello }] : [],
  );
  const missing = new Set(results.filter(isMissing).map(({ message }) => destinationKey(message.destination)));
  const creates = [...missing].map((destination): ControlEvent => ({ event: "create", destination }));
  const told = [...hellos, ...creates].map((event) => ({ to: identity.self, event }));
  if (told.length > 0) await events.send(told);
  const confirmations = arrivals.filter((arrival) => arrival.arrival === "confirmation");
  await Promise.all(confirmations.map(({ topicArn, token }) => subscriptions.confirm(topicArn, token)));
};

const isMissing = (result: Planned | Handed): boolean => {
  if ("answer" in result)
    return result.answer.answer === "refused" && result.answer.cause === "missing" && result.plan.plan !== "dead-letter";
  return result.plan.plan === "later" && result.plan.reason === "unknown-destination";
};
