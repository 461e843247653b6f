import { describe, expect, test } from "vitest";
import type { Connection, SubscribeOptions } from "../../client/index.ts";
import { eventually } from "../support/eventually.ts";
import { twoRegions, useNetwork } from "./a-network.ts";

const { connectTo } = useNetwork(twoRegions({ topics: [{ name: "ours", producers: "spanmq" }] }));

/** Subscribes; `texts` are what came so far, in any order. */
const listen = async (connection: Connection, topic: string, options: SubscribeOptions) => {
  const received: string[] = [];
  const consumer = await connection.subscribe(topic, ({ text }) => void received.push(text), options);
  return { consumer, texts: () => received.toSorted() };
};
const sizes = [1, 2, 3];
const publishAll = async (connection: Connection, topic: string): Promise<void> => {
  for (const kind of ["x", "y"])
    for (const size of sizes) await connection.publish(topic, `${kind}${size}`, { properties: { kind, size } });
  await connection.publish(topic, "last", { properties: { kind: "last", size: 0 } });
};

describe("a topic's subscribers here and abroad get what their selectors take", () => {
  test.for([
    { rule: "by a filter policy of text", topic: "anybodys", selector: "kind IN ('x', 'last')", got: ["last", "x1", "x2", "x3"] },
    { rule: "by one of numbers, where only clients publish", topic: "ours", selector: "size < 2", got: ["last", "x1", "y1"] },
    { rule: "by the feed", topic: "fed", selector: "size * 2 = 4 OR kind = 'last'", got: ["last", "x2", "y2"] },
  ])("$rule", async ({ topic, selector, got }) => {
    const [us, eu] = await Promise.all([connectTo("us"), connectTo("eu")]);
    const listeners = [await listen(us, topic, { selector }), await listen(eu, topic, { selector })];
    await Promise.all([us.ready(), eu.ready()]);
    await publishAll(us, topic);
    await eventually(() => listeners.map(({ texts }) => texts())).toEqual([got, got]);
    expect(listeners.map(({ consumer }) => consumer.passedOver())).toEqual([0, 0]);
    await Promise.all([us.close(), eu.close()]);
  });
});

test("SEL-21: what a connection publishes itself isn't for its subscriber with noLocal", async () => {
  const [here, other] = await Promise.all([connectTo("us"), connectTo("us")]);
  const { consumer, texts } = await listen(here, "chat", { noLocal: true });
  await here.ready();
  await here.publish("chat", "mine");
  await other.publish("chat", "yours");
  await eventually(() => [texts(), consumer.passedOver()]).toEqual([["yours"], 1]);
});
