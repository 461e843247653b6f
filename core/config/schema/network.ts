import * as z from "zod";
import { brokerConcept, brokerSchema } from "./broker.ts";
import type { Concept } from "./concept.ts";
import { connectorConcept } from "./connector.ts";
import { consumerConcept } from "./consumer.ts";
import { deadLetterConcepts } from "./dead-letters.ts";
import { queueConcept, topicConcept } from "./declared-destination.ts";
import { bridgeEndConcept, jmsBridgeConcept, jmsBridgeSchema } from "./jms-bridge.ts";
import { linkSchema } from "./link.ts";
import { filterConcept, policyConcept } from "./policy.ts";
import { text } from "./values.ts";

export const idShape = /^[a-z0-9]+$/;

/** The whole configuration of a network of brokers. */
export const networkSchema = z.strictObject(
  {
    $schema: z.string("must be the address of the JSON Schema").optional(),
    network: text("must be the id of the network: lower-case letters and digits", idShape).describe("Part of every physical name."),
    brokers: z
      .record(z.string(), brokerSchema, "must be an object with one broker per id")
      .refine((brokers) => Object.keys(brokers).length > 0, "must have at least one broker")
      .describe("By id: lower-case letters and digits."),
    links: z.array(linkSchema, "must be a list of links").default([]).describe("Connectors with all defaults, in short."),
    jmsBridges: z.array(jmsBridgeSchema, "must be a list of JMS bridges").default([]).describe("Each carries one source to one target."),
  },
  "must be an object with `network` and `brokers`",
);
export type NetworkFile = z.output<typeof networkSchema>;
export type JmsBridgeFile = z.output<typeof jmsBridgeSchema>;
export type BrokerFile = z.output<typeof brokerSchema>;

const networkConcept: Concept = {
  called: "a network",
  keys: Object.keys(networkSchema.shape),
  absent: { planned: ["encryptionKey"] },
};

const below: Readonly<Record<string, Concept>> = {
  networkConnectors: connectorConcept,
  queues: queueConcept,
  topics: topicConcept,
  consumers: consumerConcept,
  destinationPolicies: policyConcept,
  conditionalNetworkBridgeFilterFactory: filterConcept,
  ...deadLetterConcepts,
};

/** What kind of object stands at a key path: the network, `brokers.<id>` or what the last known name below it says, `jmsBridges.<n>` or an end of it. */
export const conceptAt = (path: readonly PropertyKey[]): Concept => {
  if (path.length === 0) return networkConcept;
  if (path[0] === "jmsBridges") return path.length > 2 ? bridgeEndConcept : jmsBridgeConcept;
  const names = path.slice(2).map(String);
  return below[names.findLast((name) => name in below) ?? ""] ?? brokerConcept;
};
