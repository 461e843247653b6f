import * as z from "zod";
import type { Concept } from "./concept.ts";
import { deadLetterSchema } from "./dead-letters.ts";
import { destinationText, judgeFilter } from "./destination-text.ts";
import { flag, whole } from "./values.ts";

const milliseconds = "must be a whole number of milliseconds, 0 or more";

const replayWhenNoConsumers = flag().describe("Let a queue message go back to a broker on its path while nobody consumes the queue here.");
const replayDelay = whole(milliseconds, 0).describe("Milliseconds that it must have rested here before.");
const selectorAware = flag().describe("Only a consumer here whose selector takes the message keeps it from going back; false: any does.");
const rateLimit = whole("must be a whole number of messages, 0 or more", 0).describe(
  "Messages that cross a link in rateDuration; 0: any number.",
);
const rateDuration = whole("must be a whole number of milliseconds, 1 or more", 1).describe("Milliseconds for which rateLimit counts.");

/** The manual's object; here its keys may stand in the policy itself, too. */
const filterSchema = z.strictObject(
  {
    replayWhenNoConsumers: replayWhenNoConsumers.exactOptional(),
    replayDelay: replayDelay.exactOptional(),
    selectorAware: selectorAware.exactOptional(),
    rateLimit: rateLimit.exactOptional(),
    rateDuration: rateDuration.exactOptional(),
  },
  "must be an object: a conditional filter",
);

/** A destination policy; keys and defaults are the manual's. */
export const policySchema = z.strictObject(
  {
    destination: destinationText(judgeFilter).describe("What it holds for; of several, the narrowest counts."),
    enableAudit: flag().default(true).describe("Carry each message once; false: doubles are possible, at half the price of DynamoDB."),
    replayWhenNoConsumers: replayWhenNoConsumers.default(false),
    replayDelay: replayDelay.default(0),
    selectorAware: selectorAware.default(false),
    rateLimit: rateLimit.default(0),
    rateDuration: rateDuration.default(1_000),
    conditionalNetworkBridgeFilterFactory: filterSchema
      .exactOptional()
      .describe("The same keys as the manual writes them; what stands here counts."),
    useConsumerPriority: flag().default(true).describe("false: consumers of a queue are equal, whatever their priorities."),
    strictOrderDispatch: flag().default(false).describe("The first consumer of a queue with room gets all: equals don't take turns."),
    expireMessagesPeriod: whole(milliseconds, 0)
      .default(30_000)
      .describe("Milliseconds between looks for what has expired in a queue where nobody takes it; 0: none."),
    deadLetterStrategy: deadLetterSchema.exactOptional().describe("What becomes of messages that have expired. Default: shared."),
  },
  "must be an object: a destination policy",
);

export const filterConcept: Concept = {
  called: "a conditional filter",
  keys: Object.keys(filterSchema.shape),
  absent: {},
};

export const policyConcept: Concept = {
  called: "a destination policy",
  keys: Object.keys(policySchema.shape),
  instead: {
    queue: "write `destination` instead, such as queue://orders.>",
    topic: "write `destination` instead, such as topic://prices.>",
    networkBridgeFilterFactory: "write what it holds, `conditionalNetworkBridgeFilterFactory`, in the policy itself",
  },
  absent: {
    "activemq-has-it": [
      "allConsumersExclusiveByDefault",
      "gcInactiveDestinations",
      "gcWithNetworkConsumers",
      "inactiveTimeoutBeforeGC",
      "queuePrefetch",
      "topicPrefetch",
      "advisoryForConsumed",
      "advisoryForDelivery",
      "sendAdvisoryIfNoConsumers",
    ],
    planned: ["rawMessageDelivery", "producers"],
    "meaningless-on-aws": [
      "producerFlowControl",
      "memoryLimit",
      "storeUsageHighWaterMark",
      "optimizedDispatch",
      "maxPageSize",
      "prioritizedMessages",
      "sendDuplicateFromStoreToDLQ",
      "lazyDispatch",
    ],
  },
};
