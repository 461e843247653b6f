import type { BrokerSlice } from "../../config/slice.ts";
import { durableId, durableIdIn } from "../../destination/durable-queue.ts";
import type { ConnectionId } from "../../ids.ts";
import type { Brain, Events, Resources } from "../../ports.ts";
import { phaseOf } from "../../presence/connection.ts";
import { declaredPresence, presenceOf } from "../../presence/consumers.ts";
import {
  type DurableConsumer,
  type DurableSubscription,
  hasSubscriber,
  isDeclared,
  isDurable,
  judgeDurable,
} from "../../presence/durable.ts";
import type { ConnectionState, ConsumerSpec, PresenceRecord, Refusal } from "../../presence/presence.ts";
import { Contended, writeJudged } from "../contended.ts";
import type { ControlEvent } from "../events.ts";
import type { Identity } from "../identity.ts";
import type { Touched } from "./applying.ts";
import { forgetPass } from "./passes.ts";
import { noteAbsent, notePresent } from "./presences.ts";

interface DurablePorts {
  readonly identity: Pick<Identity, "self">;
  readonly brain: Brain;
  readonly events: Events;
  readonly resources: Resources;
}

/**
 * Which of its consumers a connection may have: a durable subscription has one subscriber at a time. One that it may have is its own from now
 * on; one that was something else is removed first, and the event comes again.
 */
export const admitConsumers = async (
  ports: DurablePorts,
  slice: Pick<BrokerSlice, "consumers">,
  state: ConnectionState,
  now: number,
): Promise<{ readonly admitted: readonly ConsumerSpec[]; readonly refused: readonly Refusal[] }> => {
  const admitted: ConsumerSpec[] = [];
  const refused: Refusal[] = [];
  for (const consumer of state.consumers) {
    const why = isDurable(consumer) ? await takeDurable(ports, slice, state, consumer, now) : undefined;
    if (why === undefined) admitted.push(consumer);
    else refused.push({ consumer: consumer.id, why });
  }
  return { admitted, refused };
};

/** Answers why it can't be had. A connection that closes takes nothing any more. */
const takeDurable = async (
  { identity, brain, events }: DurablePorts,
  slice: Pick<BrokerSlice, "consumers">,
  { connection, consumers, closed }: ConnectionState,
  consumer: DurableConsumer,
  now: number,
): Promise<string | undefined> => {
  const id = durableId(consumer.durable);
  const stored = await brain.read("durable", "", id);
  const isOwn = stored?.value.takenBy === connection;
  if (closed) return isOwn ? undefined : "another connection has it";
  const beside = isOwn ? consumers.filter((one) => one.id !== consumer.id) : await liveConsumers(brain, stored?.value.takenBy, now);
  const verdict = judgeDurable(stored?.value, consumer, beside, isDeclared(consumer, slice.consumers));
  if (verdict.verdict === "refuse") return verdict.why;
  const write = (value: DurableSubscription) => writeJudged(brain, "durable", "", id, value, stored?.revision ?? 0);
  const madeAt = stored?.value.madeAt ?? now;
  const taken = { consumer, takenBy: connection, madeAt };
  if (verdict.verdict === "take") {
    if (JSON.stringify(taken) !== JSON.stringify(stored?.value)) await write(taken);
    return undefined;
  }
  if (stored && verdict.verdict === "remake") await write({ ...stored.value, ending: true });
  await events.send([{ to: identity.self, event: { event: "unsubscribe", durable: consumer.durable, madeAt } }]);
  throw new Contended(`durable ${id}`);
};

const liveConsumers = async (brain: Brain, connection: ConnectionId | undefined, now: number): Promise<readonly ConsumerSpec[]> => {
  const stored = connection && (await brain.read("connection", "", connection));
  return stored && phaseOf(stored.value, now) === "live" ? stored.value.consumers : [];
};

/** Its subscriber is gone: it stands, and says since when, unless it is another connection's by now, or was removed. */
export const leaveDurable = async (brain: Brain, presence: PresenceRecord, connection: ConnectionId, now: number): Promise<void> => {
  const stored = presence.durable && (await brain.read("durable", "", durableId(presence.durable)));
  if (stored?.value.takenBy !== connection || stored.value.ending) return;
  const stands = presencesOf(stored.value, now).find(
    ({ destination, ownQueue }) => destination === presence.destination && ownQueue === presence.ownQueue,
  );
  if (stands) await notePresent(brain, stands);
};

/** Queues in which this broker's durable subscriptions gather. */
export const durableQueues = async (brain: Brain): Promise<readonly string[]> => {
  const [taken, broker] = await Promise.all([brain.list("durable", ""), brain.read("broker", "", "broker")]);
  const declared = declaredPresence(broker?.value.slice.consumers ?? []);
  return queuesOf([...taken.flatMap(({ value }) => presencesOf(value, 0)), ...declared]);
};

/** Does one of them gather in it? */
export const isDurableQueue = async (brain: Brain, queue: string): Promise<boolean> => {
  const [taken, broker] = await Promise.all([brain.read("durable", "", durableIdIn(queue)), brain.read("broker", "", "broker")]);
  const declared = declaredPresence(broker?.value.slice.consumers ?? []);
  return queuesOf([...(taken ? presencesOf(taken.value, 0) : []), ...declared]).includes(queue);
};

const queuesOf = (presences: readonly PresenceRecord[]): readonly string[] => [
  ...new Set(presences.flatMap(({ ownQueue }) => ownQueue ?? [])),
];

const presencesOf = ({ consumer, takenBy }: DurableSubscription, leaseUntil: number): readonly PresenceRecord[] =>
  presenceOf({ connection: takenBy, consumers: [consumer] }, leaseUntil);

/**
 * Removes a durable subscription, and with its queue what it has gathered, unless it is in use or another one has its name by now. From then
 * on nobody takes it. Crash window: its record goes last, so that a repeated event repeats all.
 */
export const unsubscribe = async (
  { brain, resources }: DurablePorts,
  { durable, madeAt }: Extract<ControlEvent, { event: "unsubscribe" }>,
  now: number,
): Promise<Touched> => {
  const id = durableId(durable);
  const stored = await brain.read("durable", "", id);
  if (!stored || stored.value.madeAt !== madeAt) return { destinations: [] };
  const { takenBy, ending } = stored.value;
  if (!ending && hasSubscriber(stored.value, await liveConsumers(brain, takenBy, now)))
    return { destinations: [], dropped: `it is in use by connection ${takenBy}` };
  const noted = ending ? stored.revision : await writeJudged(brain, "durable", "", id, { ...stored.value, ending: true }, stored.revision);
  const rows = presencesOf(stored.value, now);
  // Another one of its name, with another selector, has another queue.
  for (const presence of rows) await noteAbsent(brain, presence, ({ ownQueue }) => ownQueue !== presence.ownQueue);
  return {
    destinations: rows.map(({ destination }) => destination),
    afterwards: async () => {
      for (const queue of queuesOf(rows)) {
        await resources.remove({ make: "own-queue", queue });
        await forgetPass(brain, { to: "own-queue", queue });
      }
      await brain.write("durable", "", id, undefined, noted); // moved: another one's by now
    },
  };
};
