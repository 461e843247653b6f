import { browse } from "../../../core/broker/browsing.ts";
import { partsOf } from "../../../core/destination/composite.ts";
import { type Destination, destinationOf } from "../../../core/destination/destination.ts";
import { type DurableKey, durableId, subscriptionNamed } from "../../../core/destination/durable-queue.ts";
import { topicBehind } from "../../../core/destination/topic-arn.ts";
import { connectionId } from "../../../core/ids.ts";
import { decodeConsumed } from "../../../core/message/decode.ts";
import type { Message } from "../../../core/message/message.ts";
import { policyFor } from "../../../core/policy/policy.ts";
import type { RestingCopy } from "../../../core/ports.ts";
import { presenceOf } from "../../../core/presence/consumers.ts";
import { isFor } from "../../../core/presence/is-for.ts";
import type { ConsumerSpec } from "../../../core/presence/presence.ts";
import { isExpired, reportedExpired } from "../../../core/routing/expiry.ts";
import { sha256 } from "../hash.ts";
import type { MemoryCloud } from "../memory/cloud.ts";
import type { SimulatedBroker } from "./broker.ts";
import { calm, type Disturbance } from "./disturbance.ts";

export type ConsumerOptions = Partial<Omit<ConsumerSpec, "destination">>;

/** How a consumer treats what it takes: deletes it (one in `delayMs`), keeps it in flight, or keeps so many without ever looking at them. */
export type Habit =
  | {
      readonly acks: true;
      readonly delayMs?: number;
      readonly handle?: (message: Message) => Promise<"done" | "again" | { readonly later: number }>;
    }
  | { readonly acks: false; readonly reads: boolean; readonly atMost: number };
const good: Habit = { acks: true };
/** As long as SQS lets a message be in flight. */
const twelveHours = 12 * 3_600_000;

interface ReadQueue {
  readonly consumer: string;
  readonly arn: string;
  readonly destination: Destination | undefined;
}

/** One client connection with one or more consumers; it renews its lease until it is closed or goes silent, and takes what comes. */
export const simulatedClient = (cloud: MemoryCloud, broker: SimulatedBroker, id: string, disturbance: Disturbance = calm) => {
  const connection = connectionId(id);
  const passedOver: { readonly consumer: string; readonly message: Message }[] = [];
  const received: { readonly consumer: string; readonly message: Message; readonly deliveryCount: number }[] = [];
  let consumers: readonly ConsumerSpec[] = [];
  let counter = 0;
  let life: "open" | "silent" | "closed" = "open";
  let reading = true;
  const queues = new Map<ConsumerSpec, readonly ReadQueue[]>();
  const habits = new Map<string, Habit>();
  const busyUntil = new Map<string, number>();
  const held: { readonly consumer: string; readonly arn: string; readonly receipt: string }[] = [];

  /** What a consumer had in flight is there again at once, as when its session closes. */
  const letGo = (consumer?: string): void => {
    const its = held.filter((one) => consumer === undefined || one.consumer === consumer);
    for (const one of its) cloud.queues.changeVisibility(one.arn, one.receipt, 0);
    held.splice(0, held.length, ...held.filter((one) => !its.includes(one)));
  };

  /** What a consumer reads, and what that stands for, if it is one destination. */
  const queuesOf = (consumer: ConsumerSpec): readonly ReadQueue[] => {
    const known = queues.get(consumer);
    if (known) return known;
    const read = presenceOf({ connection, consumers: [consumer] }, 0).map(({ destination, ownQueue }): ReadQueue => {
      const queue = { to: "queue", destination: destinationOf(destination) } as const;
      if (ownQueue === undefined) return { consumer: consumer.id, arn: broker.where.queueOf(queue).arn, destination: queue.destination };
      return { consumer: consumer.id, arn: broker.where.queueOf({ to: "own-queue", queue: ownQueue }).arn, destination: undefined };
    });
    queues.set(consumer, read);
    return read;
  };

  const announce = (closed = false) => {
    counter += 1;
    return broker.ports.events.send([
      { to: broker.slice.broker, event: { event: "connection", state: { connection, counter, consumers, closed } } },
    ]);
  };

  const add = (options: ConsumerOptions & Pick<ConsumerSpec, "destination">, habit: Habit): string => {
    const consumer: ConsumerSpec = { id: `c${consumers.length + 1}`, priority: 0, ...options };
    habits.set(consumer.id, habit);
    consumers = [...consumers, consumer];
    return consumer.id;
  };

  const take = async (consumer: string, arn: string, destination: Destination | undefined): Promise<boolean> => {
    const habit = habits.get(consumer) ?? good;
    if ((busyUntil.get(consumer) ?? 0) > cloud.now()) return false;
    if (!habit.acks && held.filter((one) => one.consumer === consumer).length >= habit.atMost) return false;
    const [copy] = cloud.queues.receive(arn, 1, habit.acks ? 30_000 : twelveHours) ?? [];
    if (!copy) return false;
    if (!habit.acks) held.push({ consumer, arn, receipt: copy.receipt });
    if (!habit.acks && !habit.reads) return true;
    const arrival = decodeConsumed(copy, {
      self: broker.slice.broker,
      hash: sha256,
      verify: broker.verify,
      topicOf: (topicArn) => topicBehind(broker.slice.network, broker.where.own, topicArn),
      ...(destination && { destination }),
    });
    if (arrival.arrival !== "message") throw new Error(`consumer ${consumer} can't read ${copy.body}`);
    disturbance.received(cloud.queues, arn, [copy], "consumer");
    const spec = consumers.find(({ id }) => id === consumer);
    if (spec && !isFor(spec, connection, arrival.message)) {
      passedOver.push({ consumer, message: arrival.message });
      cloud.queues.remove(arn, copy.receipt);
      return true;
    }
    if (spec && isExpired(arrival.message, cloud.now())) return bury(spec, arn, copy, arrival.message);
    received.push({ consumer, message: arrival.message, deliveryCount: copy.receiveCount });
    if (habit.acks) await settle(habit, arn, copy, arrival.message);
    if (habit.acks && habit.delayMs !== undefined) busyUntil.set(consumer, cloud.now() + habit.delayMs);
    return true;
  };

  const bury = (spec: ConsumerSpec, arn: string, copy: RestingCopy, message: Message): true => {
    const policy = policyFor(broker.slice.destinationPolicies ?? [], message.destination);
    const wire = reportedExpired(copy, message, policy, spec.durable && subscriptionNamed(spec.durable));
    if (wire) cloud.queues.send(broker.where.own.queueArn(broker.where.own.ingressQueue), wire);
    cloud.queues.remove(arn, copy.receipt);
    return true;
  };

  const settle = async ({ handle }: Extract<Habit, { acks: true }>, arn: string, copy: RestingCopy, message: Message): Promise<void> => {
    const runs = Array.from({ length: handle ? disturbance.handlers([copy]) : 1 }, () => handle?.(message) ?? "done");
    const ends = await Promise.all(runs);
    for (const end of ends) {
      if (typeof end === "object") cloud.queues.changeVisibility(arn, copy.receipt, Math.ceil(end.later / 1_000));
      if (end === "done" && disturbance.deletes(copy, "consumer")) cloud.queues.remove(arn, copy.receipt);
    }
  };

  return {
    connection,
    broker: broker.slice.broker,
    received,
    /** What came though it wasn't for it. */
    passedOver,
    consume: async (destination: string, options: ConsumerOptions = {}, habit: Habit = good): Promise<string> => {
      const id = add({ destination, ...options }, habit);
      await announce();
      return id;
    },
    /** As a client that knows all its consumers from the start: they are announced together. */
    consumeAll: async (all: readonly (ConsumerOptions & Pick<ConsumerSpec, "destination">)[]): Promise<void> => {
      for (const one of all) add(one, good);
      await announce();
    },
    /** What a browser sees, of each part of a composite. */
    browse: async (destination: string, selector?: string): Promise<readonly Message[]> => {
      const context = { self: broker.slice.broker, hash: sha256, verify: broker.verify };
      const ports = { depths: broker.ports.depths, resting: broker.ports.restingQueue };
      const seen: Message[] = [];
      for (const queue of partsOf(destinationOf(destination))) {
        const request = { queue, most: 1_000, ...(selector && { selector }) };
        const looked = await browse(ports, context, request, cloud.now());
        if (looked.browse === "refused") throw new Error(`${destination} gives up after ${looked.receiveLimit} receives`);
        seen.push(...looked.messages.map(({ message }) => message));
      }
      return seen;
    },
    /** Ends a durable subscription of a client, as it stands. */
    unsubscribe: async (durable: DurableKey): Promise<void> => {
      const stored = await broker.brain.read("durable", "", durableId(durable));
      const madeAt = stored?.value.madeAt ?? 0;
      await broker.ports.events.send([{ to: broker.slice.broker, event: { event: "unsubscribe", durable, madeAt } }]);
    },
    drop: async (consumer: string): Promise<void> => {
      consumers = consumers.filter(({ id: known }) => known !== consumer);
      letGo(consumer);
      await announce();
    },
    close: async (): Promise<void> => {
      life = "closed";
      letGo();
      await announce(true);
    },
    /** The process died: nothing is said any more. */
    goSilent: (): void => {
      life = "silent";
    },
    /** It was only asleep. */
    wake: async (): Promise<void> => {
      life = "open";
      await announce();
    },
    pause: (): void => {
      reading = false;
    },
    resume: (): void => {
      reading = true;
    },
    renew: async (): Promise<void> => {
      if (life === "open") await announce();
    },
    /** When the next of its consumers that are busy with a message is done with it. */
    doneAt: (): number => Math.min(...[...busyUntil.values()].filter((until) => until > cloud.now())),
    /** Each consumer takes one message, so that several share a queue evenly. */
    step: async (): Promise<boolean> => {
      if (life !== "open" || !reading) return false;
      const taken: boolean[] = [];
      for (const { consumer, arn, destination } of consumers.flatMap(queuesOf)) taken.push(await take(consumer, arn, destination));
      return taken.includes(true);
    },
    bodies: (consumer?: string): string[] =>
      received
        .filter((one) => consumer === undefined || one.consumer === consumer)
        .map(({ message }) => (message.body.type === "text" ? message.body.text : "")),
  };
};
export type SimulatedClient = ReturnType<typeof simulatedClient>;
