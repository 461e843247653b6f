import { sha256 } from "../aws/keys.ts";
import { partsOf } from "../core/destination/composite.ts";
import { type Destination, destinationKey, destinationOf } from "../core/destination/destination.ts";
import type { DurableKey } from "../core/destination/durable-queue.ts";
import { topicBehind } from "../core/destination/topic-arn.ts";
import { decodeConsumed } from "../core/message/decode.ts";
import type { Message, TransportRecord } from "../core/message/message.ts";
import { presenceOf } from "../core/presence/consumers.ts";
import { isFor } from "../core/presence/is-for.ts";
import type { ConsumerSpec } from "../core/presence/presence.ts";
import { isExpired } from "../core/routing/expiry.ts";
import type { Ground } from "./connection.ts";
import { reportExpired } from "./expired.ts";
import { type ConsumeOptions, SpanMqError, type SubscribeOptions } from "./options.ts";
import { poll, type Taken } from "./poll.ts";
import { type ReceivedMessage, receivedMessage } from "./received.ts";
import { selectorFrom } from "./selector.ts";

/**
 * Done when it resolves, unless to `{ later: ms }` (as `once` may): then the message comes again in so many milliseconds. A handler that
 * throws lets it come again after the queue's visibility timeout.
 */
export type Handler = (message: ReceivedMessage) => unknown;

const mostInOnePoll = 10;

/** Refuses what control couldn't read: such an event would take the connection's other consumers along. */
export const consumerSpec = (
  id: string,
  destination: Destination,
  { priority = 0, prefetchSize, selector: given, noLocal, durable }: ConsumeOptions & SubscribeOptions & { readonly durable?: DurableKey },
): ConsumerSpec => {
  if (!Number.isSafeInteger(priority)) throw new SpanMqError(`priority ${priority} is no whole number`);
  if (prefetchSize !== undefined && !(Number.isSafeInteger(prefetchSize) && prefetchSize >= 1))
    throw new SpanMqError(`prefetchSize ${prefetchSize} is no whole number, at least 1`);
  if (durable && partsOf(destination).some(({ kind }) => kind !== "topic"))
    throw new SpanMqError(`${destinationKey(destination)} isn't topics alone: only they have durable subscriptions`);
  const selector = selectorFrom(given);
  return {
    id,
    destination: destinationKey(destination),
    priority,
    ...(prefetchSize !== undefined && { prefetchSize }),
    ...(selector !== undefined && { selector }),
    ...(noLocal && { noLocal }),
    ...(durable && { durable }),
  };
};

export interface RunningConsumer {
  stop(): Promise<void>;
  /** Messages that came though they aren't for it. */
  passedOver(): number;
}

/** Polls what a consumer reads from: the shared queue of each part of its destination, or its own queue. */
export const startConsumer = (
  ground: Omit<Ground, "brain" | "sns">,
  spec: ConsumerSpec,
  handler: Handler,
  clock: () => number = Date.now,
): RunningConsumer => {
  const { id, slice, where, verify, polls, onProblem } = ground;
  let passedOver = 0;
  const stopping = new AbortController();

  const take =
    (destination: string | undefined) =>
    async (record: TransportRecord): Promise<Taken> => {
      const arrival = decodeConsumed(record, {
        self: slice.broker,
        hash: sha256,
        verify,
        topicOf: (arn) => topicBehind(slice.network, where.own, arn),
        ...(destination !== undefined && { destination: destinationOf(destination) }),
      });
      if (arrival.arrival !== "message") {
        onProblem(
          new Error(
            `message ${record.id} of ${spec.destination} can't be read and stays in its queue: ${"why" in arrival ? arrival.why : arrival.arrival}`,
          ),
        );
        return "again";
      }
      if (!isFor(spec, id, arrival.message)) {
        passedOver += 1;
        return "done";
      }
      if (isExpired(arrival.message, clock())) return bury(record, arrival.message);
      try {
        const answer = await handler(receivedMessage(arrival.message, record.receiveCount));
        return isLater(answer) ? answer : "done";
      } catch (cause) {
        onProblem(
          new Error(`the handler of ${spec.destination} failed on message ${arrival.message.id}, which will come again`, { cause }),
        );
        return "again";
      }
    };

  const bury = async (record: TransportRecord, message: Message): Promise<Taken> => {
    try {
      await reportExpired(ground, spec, record, message);
      return "done";
    } catch (cause) {
      const why = `message ${message.id} of ${spec.destination} has expired, can't be sent to ${where.own.ingressQueue} and stays`;
      onProblem(new Error(`${why}: has this client leave to send there, as grantConsume gives it?`, { cause }));
      return "again";
    }
  };

  const sources = new Map(
    presenceOf({ connection: id, consumers: [spec] }, 0).map(({ destination, ownQueue }) => {
      const { url } = where.queueOf(
        ownQueue === undefined ? { to: "queue", destination: destinationOf(destination) } : { to: "own-queue", queue: ownQueue },
      );
      return [url, { name: destination, take: take(ownQueue === undefined ? destination : undefined) }] as const;
    }),
  );
  const max = Math.min(spec.prefetchSize ?? mostInOnePoll, mostInOnePoll);
  const polled = Promise.all(
    [...sources].map(([url, { name, take: takeOne }]) => {
      const onMissing = () => onProblem(new SpanMqError(missing(name, slice.broker, url)));
      return poll({ sqs: polls, url, max, take: takeOne, onProblem, onMissing, signal: stopping.signal, clock });
    }),
  );
  return {
    stop: async () => {
      stopping.abort();
      await polled;
    },
    passedOver: () => passedOver,
  };
};

const missing = (destination: string, broker: string, url: string): string =>
  `${destination} has no queue at broker ${broker} (${url} hasn't been there for a minute): if it was removed, close this consumer, or declare ` +
  "it again; ready() says what else is waited for. The consumer goes on when it is there";

const isLater = (answer: unknown): answer is { readonly later: number } =>
  typeof answer === "object" && answer !== null && "later" in answer && typeof answer.later === "number";
