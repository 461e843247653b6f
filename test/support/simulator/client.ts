import { destinationOf } from "../../../core/destination/destination.ts";
import { topicBehind } from "../../../core/destination/topic-arn.ts";
import { connectionId } from "../../../core/ids.ts";
import { decodeConsumed } from "../../../core/message/decode.ts";
import type { Message } from "../../../core/message/message.ts";
import { presenceOf } from "../../../core/presence/consumers.ts";
import type { ConsumerSpec } from "../../../core/presence/presence.ts";
import { sha256 } from "../hash.ts";
import type { MemoryCloud } from "../memory/cloud.ts";
import type { SimulatedBroker } from "./broker.ts";

export type ConsumerOptions = Partial<Omit<ConsumerSpec, "destination">>;

/** One client connection with one or more consumers; it renews its lease until it is closed or goes silent, and takes what comes. */
export const simulatedClient = (cloud: MemoryCloud, broker: SimulatedBroker, id: string) => {
  const connection = connectionId(id);
  const received: { readonly consumer: string; readonly message: Message }[] = [];
  let consumers: readonly ConsumerSpec[] = [];
  let counter = 0;
  let life: "open" | "silent" | "closed" = "open";
  let reading = true;

  const announce = (closed = false) => {
    counter += 1;
    return broker.ports.events.send([
      { to: broker.slice.broker, event: { event: "connection", state: { connection, counter, consumers, closed } } },
    ]);
  };

  const take = (consumer: string, arn: string, destination: string | undefined): boolean => {
    const [copy] = cloud.queues.receive(arn, 1, 30_000) ?? [];
    if (!copy) return false;
    const arrival = decodeConsumed(copy, {
      self: broker.slice.broker,
      hash: sha256,
      verify: broker.verify,
      topicOf: (topicArn) => topicBehind(broker.slice.network, broker.where.own, topicArn),
      ...(destination === undefined ? {} : { destination: destinationOf(destination) }),
    });
    if (arrival.arrival !== "message") throw new Error(`consumer ${consumer} can't read ${copy.body}`);
    received.push({ consumer, message: arrival.message });
    cloud.queues.remove(arn, copy.receipt);
    return true;
  };

  return {
    connection,
    received,
    consume: async (destination: string, options: ConsumerOptions = {}): Promise<string> => {
      const consumer: ConsumerSpec = { id: `c${consumers.length + 1}`, destination, priority: 0, ...options };
      consumers = [...consumers, consumer];
      await announce();
      return consumer.id;
    },
    drop: async (consumer: string): Promise<void> => {
      consumers = consumers.filter(({ id: known }) => known !== consumer);
      await announce();
    },
    close: async (): Promise<void> => {
      life = "closed";
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
    renew: async (): Promise<void> => {
      if (life === "open") await announce();
    },
    /** Each consumer takes one message, so that several share a queue evenly. */
    step: (): boolean => {
      if (life !== "open" || !reading) return false;
      const taken = consumers.flatMap((consumer) =>
        presenceOf({ connection, consumers: [consumer] }, 0).map(({ destination, ownQueue }) => {
          const arn = broker.where.queueOf(
            ownQueue === undefined ? { to: "queue", destination: destinationOf(destination) } : { to: "own-queue", queue: ownQueue },
          ).arn;
          return take(consumer.id, arn, ownQueue === undefined ? destination : undefined);
        }),
      );
      return taken.includes(true);
    },
    bodies: (consumer?: string): string[] =>
      received
        .filter((one) => consumer === undefined || one.consumer === consumer)
        .map(({ message }) => (message.body.type === "text" ? message.body.text : "")),
  };
};
export type SimulatedClient = ReturnType<typeof simulatedClient>;
