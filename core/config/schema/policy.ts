import * as z from "zod";
import type { Concept } from "./concept.ts";
import { destinationText, judgeFilter } from "./destination-text.ts";

/** A destination policy. None of the manual's values is in effect yet. */
export const policySchema = z.strictObject({ destination: destinationText(judgeFilter) }, "must be an object: a destination policy");

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
      "enableAudit",
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
