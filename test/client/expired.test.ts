import { expect, test } from "vitest";
import type { ReceivedMessage } from "../../client/index.ts";
import { eventually } from "../support/eventually.ts";
import { twoRegions, useNetwork } from "./a-network.ts";

/** One message comes in no order. */
const { connectTo } = useNetwork(twoRegions(), ["throttling"]);

test("a message that has expired before its consumer came isn't handled, and is a dead letter of its broker then", async () => {
  const eu = await connectTo("eu");
  const id = await eu.send("jobs", "too late", { timeToLive: 1_000 });
  const over = Date.now() + 1_500;
  await eventually(() => Date.now() > over).toBe(true);

  const handled: string[] = [];
  await eu.consume("queue://jobs", ({ text }: ReceivedMessage) => handled.push(text ?? ""));
  const dead: ReceivedMessage[] = [];
  await eu.consume("queue://ActiveMQ.DLQ", (message) => dead.push(message));

  await eventually(() => dead.map(({ text }) => text)).toEqual(["too late"]);
  expect(dead[0]).toMatchObject({ id, destination: "queue://ActiveMQ.DLQ", expiration: 0 });
  expect(handled).toEqual([]);
});
