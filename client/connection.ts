import { setTimeout as pause } from "node:timers/promises";
import type { SNSClient } from "@aws-sdk/client-sns";
import type { SQSClient } from "@aws-sdk/client-sqs";
import { sqsEvents } from "../aws/events.ts";
import { sha256 } from "../aws/keys.ts";
import type { Whereabouts } from "../aws/whereabouts.ts";
import { waitingFor } from "../core/broker/control/readiness.ts";
import type { BrokerSlice } from "../core/config/slice.ts";
import type { Destination } from "../core/destination/destination.ts";
import type { ConnectionId } from "../core/ids.ts";
import type { Verify } from "../core/message/message.ts";
import type { Brain } from "../core/ports.ts";
import type { ConsumerSpec } from "../core/presence/presence.ts";
import { consumerSpec, type Handler, startConsumer } from "./consumer.ts";
import { type ConsumeOptions, type ReadyOptions, SpanMqError } from "./options.ts";
import { destinationFrom, type SendOptions } from "./outgoing.ts";
import { producerOn } from "./producer.ts";

/** What a connection stands on; `polls` is for long polls, one socket each. */
export interface Ground {
  readonly id: ConnectionId;
  readonly slice: BrokerSlice;
  readonly where: Whereabouts;
  readonly brain: Brain;
  readonly verify: Verify;
  readonly sqs: SQSClient;
  readonly polls: SQSClient;
  readonly sns: SNSClient;
  readonly onProblem: (problem: Error) => void;
}

export interface Consumer {
  /** Stops consuming and tells the broker; messages in hand are finished first. */
  close(): Promise<void>;
}

export interface Connection {
  readonly id: string;
  /** Sends to a queue of the network: it is routed to whoever consumes, here or abroad. Answers the message id. */
  send(queue: string, body: string | Uint8Array, options?: SendOptions): Promise<string>;
  /** Publishes to a topic of this broker; subscribers abroad get it too. Answers the message id. */
  publish(topic: string, body: string | Uint8Array, options?: SendOptions): Promise<string>;
  /** Consumes a queue, a pattern (`queue://orders.>`) or several (`queue://a,b`). A handler that throws lets the message come again; of a FIFO queue those of its group behind it. */
  consume(queue: string, handler: Handler, options?: ConsumeOptions): Promise<Consumer>;
  /** Subscribes to a topic, a pattern or several, as long as this connection lives (and two minutes of silence). */
  subscribe(topic: string, handler: Handler, options?: Pick<ConsumeOptions, "priority">): Promise<Consumer>;
  /** Waits until every consumer is in effect, here and at the direct peers; names what isn't when the time is over. */
  ready(options?: ReadyOptions): Promise<void>;
  /** Stops all consumers, tells the broker, and ends. */
  close(): Promise<void>;
}

const renewal = 60_000;
const lookAgain = 500;

export const connectionOn = (ground: Ground): Connection => {
  const { id, slice, where, brain, sqs, onProblem } = ground;
  const events = sqsEvents({ whereabouts: async () => where, sqs, peerSqs: () => sqs });
  const producer = producerOn(ground, events);
  const consumers = new Map<string, { readonly spec: ConsumerSpec; stop(): Promise<void> }>();
  let counter = 0;
  let made = 0;
  let closed = false;

  const announce = async (): Promise<void> => {
    counter += 1;
    const state = { connection: id, counter, consumers: [...consumers.values()].map(({ spec }) => spec), closed };
    await events.send([{ to: slice.broker, event: { event: "connection", state } }]);
  };
  const renew = setInterval(() => {
    if (consumers.size > 0)
      announce().catch((cause: unknown) =>
        onProblem(new Error("the lease couldn't be renewed; the next renewal is in a minute", { cause })),
      );
  }, renewal);
  renew.unref();

  const add = async (destination: Destination, handler: Handler, options: ConsumeOptions): Promise<Consumer> => {
    made += 1;
    const spec = consumerSpec(`c${made}`, destination, options);
    const stop = startConsumer(ground, spec, handler);
    consumers.set(spec.id, { spec, stop });
    const leave = async (): Promise<boolean> => {
      await stop();
      return consumers.delete(spec.id);
    };
    try {
      await announce();
    } catch (cause) {
      await leave();
      throw cause;
    }
    return {
      close: async () => {
        if (await leave()) await announce();
      },
    };
  };

  const whileOpen =
    <A extends readonly unknown[], T>(call: (...args: A) => Promise<T>) =>
    async (...args: A): Promise<T> => {
      if (closed) throw new SpanMqError("this connection is closed: connect again");
      return call(...args);
    };

  return {
    id,
    send: whileOpen(producer.send),
    publish: whileOpen(producer.publish),
    consume: whileOpen(async (queue, handler, options = {}) => add(destinationFrom(queue, "queue"), handler, options)),
    subscribe: whileOpen(async (topic, handler, options = {}) => add(destinationFrom(topic, "topic"), handler, options)),
    ready: whileOpen(async ({ timeout = 60_000 } = {}) => {
      const until = Date.now() + timeout;
      for (;;) {
        const waiting = consumers.size === 0 ? [] : await waitingFor(brain, sha256, id, counter, Date.now());
        if (waiting.length === 0) return;
        if (Date.now() >= until) {
          throw new SpanMqError(
            `not ready after ${timeout / 1_000} s; waiting for:\n${waiting.map((one) => `  ${one.destination} ${one.for}`.trimEnd()).join("\n")}`,
          );
        }
        await pause(lookAgain);
      }
    }),
    close: async () => {
      if (closed) return;
      closed = true;
      clearInterval(renew);
      await Promise.all([...consumers.values()].map(({ stop }) => stop()));
      if (consumers.size > 0) await announce();
    },
  };
};
