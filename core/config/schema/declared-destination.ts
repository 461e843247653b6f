import * as z from "zod";
import type { Concept } from "./concept.ts";
import { destinationText, judgeDeclared } from "./destination-text.ts";
import { flag } from "./values.ts";

/** An entry of `queues` or `topics`: a name, or an object for one that has more to say. */
export const declaredSchema = (kind: "queue" | "topic") => {
  const name = destinationText(judgeDeclared(kind));
  return z.union([name, declaredObject(name)], `must be the name of a ${kind}, or { "name": …, "removed": true }`);
};

const declaredObject = <Name extends z.ZodType>(name: Name) =>
  z.strictObject({
    name: name.describe("What a plain entry is."),
    removed: flag()
      .default(false)
      .describe("The first of two deployments that take it away: it stays until it is empty, and peers are told of no demand for it."),
  });
export const declaredObjectSchema = declaredObject(z.string());

export const declaredConcept: Concept = {
  called: "a declared destination",
  keys: Object.keys(declaredObjectSchema.shape),
  absent: { planned: ["fifo", "adopted", "encryptionKey"] },
};
