import { type Destination, destinationKey } from "../destination/destination.ts";
import { withoutSuffix } from "../destination/fifo.ts";
import { failureCause } from "../message/dead-letter.ts";
import type { Message } from "../message/message.ts";

/** What becomes of a message that nobody got in time. Keys and defaults are the manual's. */
export type DeadLetterStrategy = Shared | Individual | { readonly strategy: "discarding" };

interface Kept {
  /** False: what has expired is dropped. */
  readonly processExpired: boolean;
  readonly processNonPersistent: boolean;
  /** Milliseconds that a dead letter itself has to live; 0: for ever. */
  readonly expiration: number;
}

/** One queue for all. */
interface Shared extends Kept {
  readonly strategy: "shared";
  readonly deadLetterQueue: string;
}

/** A queue or topic for each destination, by its name. */
interface Individual extends Kept {
  readonly strategy: "individual";
  readonly queuePrefix: string;
  readonly queueSuffix: string;
  readonly topicPrefix: string;
  readonly topicSuffix: string;
  readonly useQueueForQueueMessages: boolean;
  readonly useQueueForTopicMessages: boolean;
  /** A topic's name is followed by the durable subscription's whose messages they were. */
  readonly destinationPerDurableSubscriber: boolean;
}

export const sharedDeadLetters: DeadLetterStrategy = {
  strategy: "shared",
  deadLetterQueue: "ActiveMQ.DLQ",
  processExpired: true,
  processNonPersistent: false,
  expiration: 0,
};

/** Where a message that has expired goes; undefined: it is dropped. A dead letter doesn't die a second time. */
export const deadLettersFor = (
  strategy: DeadLetterStrategy,
  { destination, deliveryMode, properties }: Pick<Message, "destination" | "deliveryMode" | "properties">,
  subscription?: string,
): Destination | undefined => {
  if (strategy.strategy === "discarding" || !strategy.processExpired || properties[failureCause] !== undefined) return undefined;
  if (deliveryMode === "NON_PERSISTENT" && !strategy.processNonPersistent) return undefined;
  const to = deadLettersOf(strategy, destination, subscription);
  return destinationKey(to) === destinationKey(destination) ? undefined : to;
};

/** Dead letters keep no order: of a FIFO destination the name's ending is left off, so that they need no declaration. */
export const deadLettersOf = (strategy: Shared | Individual, { kind, name }: Destination, subscription?: string): Destination => {
  if (strategy.strategy === "shared") return { kind: "queue", name: strategy.deadLetterQueue };
  const { prefix, suffix, isQueue } = waysOf(strategy)[kind.endsWith("queue") ? "queue" : "topic"];
  const whose = strategy.destinationPerDurableSubscriber && subscription !== undefined ? `.${subscription}` : "";
  return { kind: isQueue ? "queue" : "topic", name: `${prefix}${withoutSuffix(name)}${whose}${suffix}` };
};

const waysOf = (strategy: Individual) => ({
  queue: { prefix: strategy.queuePrefix, suffix: strategy.queueSuffix, isQueue: strategy.useQueueForQueueMessages },
  topic: { prefix: strategy.topicPrefix, suffix: strategy.topicSuffix, isQueue: strategy.useQueueForTopicMessages },
});

/** Might this strategy send dead letters there? */
export const sendsTo = (strategy: DeadLetterStrategy, { kind, name }: Destination): boolean => {
  if (strategy.strategy === "discarding") return false;
  if (strategy.strategy === "shared") return kind === "queue" && name === strategy.deadLetterQueue;
  return Object.values(waysOf(strategy)).some(
    ({ prefix, suffix, isQueue }) => kind === (isQueue ? "queue" : "topic") && name.startsWith(prefix) && name.endsWith(suffix),
  );
};
