import * as z from "zod";
import { brokerConcept, brokerSchema } from "./broker.ts";
import type { Concept } from "./concept.ts";
import { connectorConcept } from "./connector.ts";
import { consumerConcept } from "./consumer.ts";
import { linkSchema } from "./link.ts";
import { policyConcept } from "./policy.ts";
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
  },
  "must be an object with `network` and `brokers`",
);
export type NetworkFile = z.output<typeof networkSchema>;
export type BrokerFile = z.output<typeof brokerSchema>;

const networkConcept: Concept = {
  called: "a network",
  keys: Object.keys(networkSchema.shape),
  absent: { planned: ["jmsBridges", "fifo", "encryptionKey"] },
};

const listed: Readonly<Record<string, Concept>> = {
  networkConnectors: connectorConcept,
  consumers: consumerConcept,
  destinationPolicies: policyConcept,
};

/** What kind of object stands at a key path: the network, `brokers.<id>` or `brokers.<id>.<list>.<n>`. */
export const conceptAt = (path: readonly PropertyKey[]): Concept => {
  if (path.length === 0) return networkConcept;
  return listed[String(path[2])] ?? brokerConcept;
};
