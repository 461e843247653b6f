import * as z from "zod";
import { destinationOf } from "../../destination/destination.ts";
import { longestId } from "../../destination/durable-queue.ts";
import type { Concept } from "./concept.ts";
import { destinationText, judgeDestination } from "./destination-text.ts";
import { selectorText } from "./selector-text.ts";
import { whole } from "./values.ts";

const id = (key: string) => {
  const must = `must be a ${key} of 1 to ${longestId} characters`;
  return z.string(must).min(1, must).max(longestId, must);
};

/** A consumer that runs no client of ours: a plain SQS poller, a Lambda. */
export const consumerSchema = z
  .strictObject(
    {
      destination: destinationText(judgeDestination),
      count: whole("must be a whole number of consumers, at least 1", 1)
        .default(1)
        .describe("Consumers behind this line: its weight in shares."),
      priority: whole("must be a whole number from -128 to 127", -128, 127).default(0).describe("Higher is served first."),
      selector: selectorText()
        .exactOptional()
        .describe("Peers forward only what it takes. Who polls the queue gets whatever else is in it."),
      clientID: id("clientID").exactOptional().describe("Of a topic's consumer: with subscriptionName it is a durable subscription."),
      subscriptionName: id("subscriptionName")
        .exactOptional()
        .describe("Its queue is made by the stack, and gathers whether or not it is polled."),
    },
    "must be an object: a declared consumer",
  )
  .check(({ value, issues }) => {
    const { destination, clientID, subscriptionName } = value;
    const fault = (path: string, message: string) =>
      issues.push({ code: "custom", path: [path], message, input: value[path as "clientID"] });
    if ((clientID === undefined) !== (subscriptionName === undefined))
      fault(clientID === undefined ? "subscriptionName" : "clientID", "needs clientID and subscriptionName together");
    else if (clientID !== undefined && destinationOf(destination).kind !== "topic")
      fault("clientID", "is for topics: a queue keeps its messages anyway; remove it and subscriptionName");
  });

export const consumerConcept: Concept = {
  called: "a declared consumer",
  keys: Object.keys(consumerSchema.shape),
  instead: {
    queue: "write `destination` instead, such as queue://orders.new",
    topic: "write `destination` instead, such as topic://prices",
  },
  absent: { "activemq-has-it": ["prefetchSize", "exclusive", "noLocal"] },
};
