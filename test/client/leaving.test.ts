import { describe, expect, test } from "vitest";
import { dynamoBrain } from "../../aws/brain.ts";
import { eventually } from "../support/eventually.ts";
import { twoRegions, useNetwork } from "./a-network.ts";

const { clients, connectTo } = useNetwork(twoRegions());

/** How many candidates abroad us has for a queue. */
const demandIn = async (queue: string): Promise<number | undefined> => {
  const brain = dynamoBrain({ dynamo: clients("us").dynamodb, table: "spanmq-test-us-sys-brain", now: Date.now });
  return (await brain.read("view", "", queue))?.value.candidates.length;
};

describe("who leaves", () => {
  test("takes its demand along: a closed consumer, then a closed connection", async () => {
    const eu = await connectTo("eu");
    const first = await eu.consume("queue://one", () => {});
    await eu.consume("queue://two", () => {});
    await eu.ready();
    expect([await demandIn("queue://one"), await demandIn("queue://two")]).toEqual([1, 1]);
    await first.close();
    await eventually(() => demandIn("queue://one")).toBe(0);
    expect(await demandIn("queue://two")).toBe(1);
    await eu.close();
    await eventually(() => demandIn("queue://two")).toBe(0);
  });
});
