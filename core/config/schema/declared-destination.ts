import * as z from "zod";
import type { Concept } from "./concept.ts";
import { destinationText, judgeDeclared } from "./destination-text.ts";
import { flag } from "./values.ts";

const removed = flag()
  .default(false)
  .describe("The first of two deployments that take it away: it stays until it is empty, and peers are told of no demand for it.");
const producers = z
  .enum(["any", "spanmq"], 'must be "any" or "spanmq"')
  .default("any")
  .describe("Of a topic, who publishes on it. spanmq: clients of ours alone, so that SNS can filter by more selectors.");

/** An entry of `queues`: a name, or an object for one that has more to say. */
export const declaredQueue = () => {
  const name = destinationText(judgeDeclared("queue"));
  return z.union([name, queueObject(name)], 'must be the name of a queue, or { "name": …, "removed": true }');
};
const queueObject = <Name extends z.ZodType>(name: Name) => z.strictObject({ name, removed });

/** An entry of `topics` likewise. */
export const declaredTopic = () => {
  const name = destinationText(judgeDeclared("topic"));
  return z.union([name, topicObject(name)], 'must be the name of a topic, or { "name": …, "producers": "spanmq" }');
};
const topicObject = <Name extends z.ZodType>(name: Name) =>
  z.strictObject({ name: name.describe("What a plain entry is."), producers, removed });
export const declaredObjectSchema = topicObject(z.string());

const conceptOf = (kind: "queue" | "topic", schema: z.ZodObject): Concept => ({
  called: `a declared ${kind}`,
  keys: Object.keys(schema.shape),
  absent: { planned: ["fifo", "adopted", "encryptionKey"] },
});
export const queueConcept = conceptOf("queue", queueObject(z.string()));
export const topicConcept = conceptOf("topic", declaredObjectSchema);
