import * as z from "zod";
import { parseDestination } from "../../destination/destination.ts";
import { isPlain } from "../../destination/plain.ts";
import type { Concept } from "./concept.ts";
import { flag, whole } from "./values.ts";

const kept = {
  processExpired: flag().default(true).describe("false: what has expired is dropped."),
  processNonPersistent: flag().default(false).describe("true: NON_PERSISTENT messages are kept, too."),
  expiration: whole("must be a whole number of milliseconds, 0 or more", 0)
    .default(0)
    .describe("Milliseconds that a dead letter has to live; 0: for ever."),
};

const affix = (standard: string) => z.string("must be a text").default(standard);

export const sharedSchema = z.strictObject(
  {
    deadLetterQueue: z
      .string("must be the name of a queue")
      .refine(isOneName, "must be the name of one queue that isn't FIFO")
      .default("ActiveMQ.DLQ")
      .describe("The queue for all; made on first use."),
    ...kept,
  },
  "must be an object: a shared dead-letter strategy",
);

export const individualSchema = z
  .strictObject(
    {
      queuePrefix: affix("ActiveMQ.DLQ.Queue.").describe("What precedes a queue's name."),
      queueSuffix: affix("").describe("What follows it."),
      topicPrefix: affix("ActiveMQ.DLQ.Topic.").describe("What precedes a topic's name."),
      topicSuffix: affix("").describe("What follows it."),
      useQueueForQueueMessages: flag().default(true).describe("false: a queue's dead letters are published on a topic."),
      useQueueForTopicMessages: flag().default(true).describe("false: a topic's dead letters are published on a topic."),
      destinationPerDurableSubscriber: flag()
        .default(false)
        .describe("true: the name of a durable subscription, clientID:subscriptionName, follows the topic's."),
      ...kept,
    },
    "must be an object: an individual dead-letter strategy",
  )
  .refine(
    ({ queuePrefix, queueSuffix, topicPrefix, topicSuffix }) => queuePrefix + queueSuffix !== "" && topicPrefix + topicSuffix !== "",
    {
      error: "must have a prefix or a suffix, or a destination would be its own dead letters'",
    },
  )
  .refine(
    ({ queuePrefix, queueSuffix, topicPrefix, topicSuffix }) =>
      [`${queuePrefix}x${queueSuffix}`, `${topicPrefix}x${topicSuffix}`].every((name) => isPlain({ kind: "queue", name })),
    "must make one name of a destination's that isn't FIFO: its prefixes and suffixes are short, without commas, wildcards and `.fifo`",
  );

export const deadLetterSchema = z
  .strictObject(
    {
      sharedDeadLetterStrategy: sharedSchema.exactOptional(),
      individualDeadLetterStrategy: individualSchema.exactOptional(),
      discarding: z.strictObject({}, "must be an empty object").exactOptional(),
    },
    "must be an object: a dead-letter strategy",
  )
  .refine(
    (strategy) => Object.keys(strategy).length === 1,
    "must have one key: sharedDeadLetterStrategy, individualDeadLetterStrategy or discarding",
  );

const meaningless = ["enableAudit", "maxProducersToAudit", "maxAuditDepth"];

const conceptOf = (called: string, schema: { readonly shape: object }, absent: readonly string[] = meaningless): Concept => ({
  called,
  keys: Object.keys(schema.shape),
  absent: { "meaningless-on-aws": absent },
});

export const deadLetterConcepts: Readonly<Record<string, Concept>> = {
  deadLetterStrategy: conceptOf("a dead-letter strategy", deadLetterSchema, []),
  sharedDeadLetterStrategy: conceptOf("a shared dead-letter strategy", sharedSchema),
  individualDeadLetterStrategy: conceptOf("an individual dead-letter strategy", individualSchema),
};

function isOneName(name: string): boolean {
  const destination = parseDestination(name, "queue");
  return !("fault" in destination) && destination.kind === "queue" && isPlain(destination);
}
