import * as z from "zod";
import type { Concept } from "./concept.ts";
import { connectorSchema } from "./connector.ts";
import { consumerSchema } from "./consumer.ts";
import { declaredQueue, declaredTopic } from "./declared-destination.ts";
import { destinationText, judgeFilter } from "./destination-text.ts";
import { policySchema } from "./policy.ts";
import { flag, text, whole } from "./values.ts";

const region = "must be an AWS region such as eu-west-1";
const account = 'must be an AWS account: twelve digits as text, such as "123456789012"';
const seconds = "must be a whole number of seconds";

export const brokerSchema = z.strictObject(
  {
    region: text(region, /^[a-z]{2}(-[a-z]+)+-\d+$/).describe("Two brokers may share a region."),
    account: text(account, /^\d{12}$/)
      .optional()
      .describe("Default: the account of the credentials at deployment."),
    queues: z.array(declaredQueue(), "must be a list of queue names").default([]).describe("The queues that the stack makes."),
    topics: z.array(declaredTopic(), "must be a list of topic names").default([]).describe("The topics that the stack makes."),
    consumers: z
      .array(consumerSchema, "must be a list of consumers")
      .default([])
      .describe("Consumers that don't announce themselves, such as plain SQS pollers; each makes its destination."),
    networkConnectors: z.array(connectorSchema, "must be a list of network connectors").default([]),
    destinationPolicies: z.array(policySchema, "must be a list of destination policies").default([]),
    advisorySupport: flag()
      .default(true)
      .describe("Tell peers what is wanted here; false: only what they include statically crosses to this broker."),
    autoCreateDestinations: z
      .array(destinationText(judgeFilter), "must be a list of destinations")
      .optional()
      .describe("What may be made on first use. Default: what some connector of this broker permits."),
    subscriptionGrace: whole(`${seconds}, at most 900`, 0, 900)
      .default(15)
      .describe("Seconds from Subscribe until a subscription counts as effective."),
    peerLease: whole(`${seconds}, at least 120 (probes go out each minute)`, 120)
      .default(3600)
      .describe("Seconds of silence that end a peer."),
    removalPolicy: z
      .enum(["retain", "destroy"], 'must be "retain" or "destroy"')
      .default("retain")
      .describe("retain: what still holds messages isn't deleted, the deployment or the destroy is refused; destroy: it goes with them."),
  },
  "must be an object: a broker",
);

export const brokerConcept: Concept = {
  called: "a broker",
  keys: Object.keys(brokerSchema.shape),
  instead: {
    brokerName: "its key in `brokers` is the broker's name; remove it",
    jmsBridgeConnectors: "write `jmsBridges` instead, a list beside `brokers`",
  },
  absent: {
    "activemq-has-it": [
      "useVirtualDestSubs",
      "useVirtualDestSubsOnCreation",
      "virtualDestinations",
      "destinationInterceptors",
      "useVirtualTopics",
      "useMirroredQueues",
      "allowTempAutoCreationOnSend",
    ],
    planned: ["adopted", "encryptionKey", "removed"],
    "meaningless-on-aws": [
      "brokerId",
      "dataDirectory",
      "persistent",
      "schedulerSupport",
      "start",
      "useJmx",
      "networkConnectorStartAsync",
      "transportConnectors",
      "persistenceAdapter",
      "systemUsage",
      "managementContext",
      "plugins",
    ],
  },
};
