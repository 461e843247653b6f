import * as z from "zod";
import type { Concept } from "./concept.ts";
import { destinationText, judgeFilter } from "./destination-text.ts";
import { flag } from "./values.ts";

/** A destination policy; keys and defaults are the manual's. */
export const policySchema = z.strictObject(
  {
    destination: destinationText(judgeFilter).describe("What it holds for; of several, the narrowest counts."),
    enableAudit: flag().default(true).describe("Carry each message once; false: doubles are possible, at half the price of DynamoDB."),
  },
  "must be an object: a destination policy",
);

export const policyConcept: Concept = {
  called: "a destination policy",
  keys: Object.keys(policySchema.shape),
  absent: {
    "activemq-has-it": [
      "replayWhenNoConsumers",
      "replayDelay",
      "rateLimit",
      "rateDuration",
      "networkBridgeFilterFactory",
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
    planned: ["rawMessageDelivery", "producers", "fifo"],
    "meaningless-on-aws": ["producerFlowControl", "memoryLimit", "storeUsageHighWaterMark", "optimizedDispatch", "maxPageSize"],
  },
};
