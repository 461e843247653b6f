import * as z from "zod";
import type { Concept } from "./concept.ts";
import { destinationText, judgeFilter } from "./destination-text.ts";
import { flag, whole } from "./values.ts";

/** A destination policy; keys and defaults are the manual's. */
export const policySchema = z.strictObject(
  {
    destination: destinationText(judgeFilter).describe("What it holds for; of several, the narrowest counts."),
    enableAudit: flag().default(true).describe("Carry each message once; false: doubles are possible, at half the price of DynamoDB."),
    replayWhenNoConsumers: flag()
      .default(false)
      .describe("Let a queue message go back to a broker on its path while nobody consumes the queue here."),
    replayDelay: whole("must be a whole number of milliseconds, 0 or more", 0)
      .default(0)
      .describe("Milliseconds that it must have rested here before."),
  },
  "must be an object: a destination policy",
);

export const policyConcept: Concept = {
  called: "a destination policy",
  keys: Object.keys(policySchema.shape),
  absent: {
    "activemq-has-it": [
      "selectorAware",
      "rateLimit",
      "rateDuration",
      "networkBridgeFilterFactory",
      "conditionalNetworkBridgeFilterFactory",
      "useConsumerPriority",
      "strictOrderDispatch",
      "allConsumersExclusiveByDefault",
      "sendDuplicateFromStoreToDLQ",
      "deadLetterStrategy",
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
    "meaningless-on-aws": ["producerFlowControl", "memoryLimit", "storeUsageHighWaterMark", "optimizedDispatch", "maxPageSize"],
  },
};
