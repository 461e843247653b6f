import { describe, expect, test } from "vitest";
import { destinationKey, destinationOf } from "../../../core/destination/destination.ts";
import { type DeadLetterStrategy, deadLettersFor, sharedDeadLetters } from "../../../core/policy/dead-letters.ts";
import { isForDeadLetters } from "../../../core/policy/policy.ts";
import { aMessage } from "../../support/a-message.ts";

type Individual = Extract<DeadLetterStrategy, { strategy: "individual" }>;
const individual = (fields: Partial<Individual> = {}): Individual => ({
  strategy: "individual",
  queuePrefix: "DLQ.",
  queueSuffix: "",
  topicPrefix: "DLT.",
  topicSuffix: ".dead",
  useQueueForQueueMessages: true,
  useQueueForTopicMessages: true,
  destinationPerDurableSubscriber: false,
  processExpired: true,
  processNonPersistent: false,
  expiration: 0,
  ...fields,
});

describe("the dead letters of a destination", () => {
  test.for<{ rule: string; strategy: DeadLetterStrategy; of?: string; message?: object; subscription?: string; are: string }>([
    { rule: "are one queue's by default", strategy: sharedDeadLetters, are: "queue://ActiveMQ.DLQ" },
    { rule: "are a topic's in that queue, too", strategy: sharedDeadLetters, of: "topic://prices", are: "queue://ActiveMQ.DLQ" },
    { rule: "are its own by its name", strategy: individual(), of: "queue://orders.new", are: "queue://DLQ.orders.new" },
    { rule: "are a topic's own by its name", strategy: individual(), of: "topic://prices", are: "queue://DLT.prices.dead" },
    { rule: "are on a topic", strategy: individual({ useQueueForQueueMessages: false }), are: "topic://DLQ.orders" },
    {
      rule: "are a topic's on a topic",
      strategy: individual({ useQueueForTopicMessages: false }),
      of: "topic://prices",
      are: "topic://DLT.prices.dead",
    },
    {
      rule: "are a topic's in a queue though a queue's are on a topic",
      strategy: individual({ useQueueForQueueMessages: false }),
      of: "topic://prices",
      are: "queue://DLT.prices.dead",
    },
    { rule: "keep no order", strategy: individual(), of: "queue://orders.fifo", are: "queue://DLQ.orders" },
    {
      rule: "are a durable subscription's own",
      strategy: individual({ destinationPerDurableSubscriber: true }),
      of: "topic://prices",
      subscription: "me:audit",
      are: "queue://DLT.prices.me:audit.dead",
    },
    {
      rule: "are all subscriptions' else",
      strategy: individual(),
      of: "topic://prices",
      subscription: "me:audit",
      are: "queue://DLT.prices.dead",
    },
    { rule: "are none if they are discarded", strategy: { strategy: "discarding" }, are: "none" },
    { rule: "are none without processExpired", strategy: individual({ processExpired: false }), are: "none" },
    { rule: "are none of a NON_PERSISTENT message", strategy: sharedDeadLetters, message: { deliveryMode: "NON_PERSISTENT" }, are: "none" },
    {
      rule: "are with processNonPersistent",
      strategy: individual({ processNonPersistent: true }),
      message: { deliveryMode: "NON_PERSISTENT" },
      are: "queue://DLQ.orders",
    },
    { rule: "have none of their own", strategy: sharedDeadLetters, of: "queue://ActiveMQ.DLQ", are: "none" },
    {
      rule: "have none wherever they have got",
      strategy: individual(),
      message: { properties: { dlqDeliveryFailureCause: { type: "string", value: "Message Expired" } } },
      are: "none",
    },
  ])("$rule", ({ strategy, of = "queue://orders", message = {}, subscription, are }) => {
    const to = deadLettersFor(strategy, aMessage({ destination: destinationOf(of), ...message }), subscription);
    expect(to ? destinationKey(to) : "none").toBe(are);
  });
});

test.for([
  { destination: "queue://ActiveMQ.DLQ", made: true },
  { destination: "topic://ActiveMQ.DLQ", made: false },
  { destination: "queue://DLQ.orders", made: true },
  { destination: "queue://DLT.prices.dead", made: true },
  { destination: "queue://DLT.prices", made: false },
  { destination: "queue://orders", made: false },
])("$destination is made on first use for dead letters: $made", ({ destination, made }) => {
  const policies = [{ destination: "queue://orders", deadLetterStrategy: individual() }, { destination: "queue://x" }];
  expect(isForDeadLetters(policies, destinationOf(destination))).toBe(made);
});
