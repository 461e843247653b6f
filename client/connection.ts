import { setTimeout as pause } from "node:timers/promises";
import type { SNSClient } from "@aws-sdk/client-sns";
import type { SQSClient } from "@aws-sdk/client-sqs";
import { sqsEvents } from "../aws/events.ts";
import { sha256 } from "../aws/keys.ts";
import type { Whereabouts } from "../aws/whereabouts.ts";
import { waitingFor } from "../core/broker/control/readiness.ts";
import type { BrokerSlice } from "../core/config/slice.ts";
import type { ConnectionId } from "../core/ids.ts";
import type { Verify } from "../core/message/message.ts";
import type { Brain } from "../core/ports.ts";
import { browsing } from "./browse.ts";
import type { Handler } from "./consumer.ts";
import { consumersOn } from "./consumers.ts";
import { durableKey, unsubscribing } from "./durable.ts";
import { type BrowseOptions, type ConsumeOptions, type ReadyOptions, SpanMqError, type SubscribeOptions } from "./options.ts";
import { destinationFrom, type SendOptions } from "./outgoing.ts";
import { producerOn } from "./producer.ts";
import type { ReceivedMessage } from "./received.ts";

/** What a connection stands on; `polls` is for long polls, one socket each. */
export interface Ground {
  readonly id: ConnectionId;
  readonly clientID?: string;
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
  /** Messages of a topic that reached it though its selector, or `noLocal`, refuses them: they were passed over. */
  passedOver(): number;
}

export interface Connection {
  readonly id: string;
  /** Sends to a queue of the network: it is routed to whoever consumes, here or abroad. Answers the message id. */
  send(queue: string, body: string | Uint8Array, options?: SendOptions): Promise<string>;
  /** Publishes to a topic of this broker; subscribers abroad get it too. Answers the message id. */
  publish(topic: string, body: string | Uint8Array, options?: SendOptions): Promise<string>;
  /** Consumes a queue, a pattern (`queue://orders.>`) or several (`queue://a,b`). A handler that throws lets the message come again; of a FIFO queue those of its group behind it. */
  consume(queue: string, handler: Handler, options?: ConsumeOptions): Promise<Consumer>;
  /**
   * Looks at messages that wait in a queue of this broker, or in several (`queue://a,b`), without taking them or asking peers for any.
   * A sample: of a standard queue in no order, and without what consumers have in hand. SQS shows a message by a receive only, so for the
   * moment of the look consumers don't get it, and each look counts as a delivery.
   */
  browse(queue: string, options?: BrowseOptions): Promise<readonly ReceivedMessage[]>;
  /** Subscribes to a topic, a pattern or several, as long as this connection lives (and two minutes of silence). */
  subscribe(topic: string, handler: Handler, options?: SubscribeOptions): Promise<Consumer>;
  /**
   * Subscribes to a topic, a pattern or several for good: the subscription gathers messages while nobody has it, until it is unsubscribed.
   * One subscriber has it at a time; for another topic or selector it is made anew, without what it had gathered. Needs a `clientID`.
   */
  subscribeDurable(topic: string, subscriptionName: string, handler: Handler, options?: SubscribeOptions): Promise<Consumer>;
  /** Ends a durable subscription of this client that no subscriber has, with what it has gathered. */
  unsubscribe(subscriptionName: string): Promise<void>;
  /** Waits until every consumer is in effect, here and at the direct peers; names what isn't when the time is over. */
  ready(options?: ReadyOptions): Promise<void>;
  /** Stops all consumers, tells the broker, and ends. */
  close(): Promise<void>;
}

const lookAgain = 500;

export const connectionOn = (ground: Ground): Connection => {
  const { id, clientID, where, brain, sqs } = ground;
  const events = sqsEvents({ whereabouts: async () => where, sqs, peerSqs: () => sqs });
  const producer = producerOn(ground, events);
  const consumers = consumersOn(ground, events);
  let closed = false;

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
    consume: whileOpen(async (queue, handler, options = {}) => consumers.add(destinationFrom(queue, "queue"), handler, options)),
    browse: whileOpen(async (queue, options = {}) => browsing(ground, destinationFrom(queue, "queue"), options)),
    subscribe: whileOpen(async (topic, handler, options = {}) => consumers.add(destinationFrom(topic, "topic"), handler, options)),
    subscribeDurable: whileOpen(async (topic, subscriptionName, handler, options = {}) =>
      consumers.add(destinationFrom(topic, "topic"), handler, options, durableKey(clientID, subscriptionName)),
    ),
    unsubscribe: whileOpen(async (subscriptionName) => unsubscribing(ground, events, durableKey(clientID, subscriptionName))),
    ready: whileOpen(async ({ timeout = 60_000 } = {}) => {
      const until = Date.now() + timeout;
      for (;;) {
        const waiting = consumers.isEmpty() ? [] : await waitingFor(brain, sha256, id, consumers.counter(), Date.now());
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
      await consumers.end();
    },
  };
};
