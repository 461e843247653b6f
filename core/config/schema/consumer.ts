import * as z from "zod";
import type { Concept } from "./concept.ts";
import { destinationText, judgeDestination } from "./destination-text.ts";
import { selectorText } from "./selector-text.ts";
import { whole } from "./values.ts";

/** A consumer that runs no client of ours: a plain SQS poller, a Lambda. */
export const consumerSchema = z.strictObject(
  {
    destination: destinationText(judgeDestination),
    count: whole("must be a whole number of consumers, at least 1", 1)
      .default(1)
      .describe("Consumers behind this line: its weight in shares."),
    priority: whole("must be a whole number from -128 to 127", -128, 127).default(0).describe("Higher is served first."),
    selector: selectorText().exactOptional().describe("Peers forward only what it takes. Who polls the queue gets whatever else is in it."),
  },
  "must be an object: a declared consumer",
);

export const consumerConcept: Concept = {
  called: "a declared consumer",
  keys: Object.keys(consumerSchema.shape),
  absent: { "activemq-has-it": ["prefetchSize", "exclusive", "noLocal", "clientId", "subscriptionName"] },
};
