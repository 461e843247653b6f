import { describe, expect, test } from "vitest";
import { type Connection, connect } from "../../client/index.ts";
import { twoRegions, useNetwork } from "./a-network.ts";

const { env, connectTo } = useNetwork(twoRegions({ autoCreateDestinations: ["queue://orders.>", "topic://prices.>"] }));

describe("connect says in words", () => {
  test.for([
    { rule: "that no region is set", change: { AWS_REGION: "" }, says: "no AWS region: set AWS_REGION" },
    {
      rule: "that nothing answers at an endpoint",
      change: { AWS_ENDPOINT_URL_DYNAMODB: "http://127.0.0.1:9" },
      says: "nothing answers at http://127.0.0.1:9",
    },
    { rule: "that an endpoint is no address", change: { AWS_ENDPOINT_URL_SQS: "localhost" }, says: '"localhost" is no address of sqs' },
  ])("$rule", async ({ change, says }) => {
    await expect(connect({ network: "test", broker: "us", env: { ...env("us"), ...change } })).rejects.toThrow(says);
  });

  test.for([
    { rule: "another broker", network: "test", broker: "ap" },
    { rule: "another network", network: "other", broker: "us" },
  ])("that there is no such broker: $rule", async ({ network, broker }) => {
    await expect(connect({ network, broker, env: env("us") })).rejects.toThrow(
      `no broker ${broker} of network ${network} in us-east-1: check the three names, or deploy its stack`,
    );
  });
});

describe("a connection refuses", () => {
  test.for<{ rule: string; call: (us: Connection) => Promise<unknown>; says: string }>([
    { rule: "to send to a topic", call: (us) => us.send("topic://prices", ""), says: "topic://prices is no queue" },
    { rule: "to publish to a queue", call: (us) => us.publish("queue://orders", ""), says: "queue://orders is no topic" },
    { rule: "no name at all", call: (us) => us.send("queue://", ""), says: "names no destination" },
    { rule: "a priority out of range", call: (us) => us.send("orders.new", "", { priority: 10 }), says: "between 0 and 9" },
    { rule: "a message larger than a queue takes", call: (us) => us.send("orders.new", "x".repeat(1_016 * 1_024)), says: "takes 1040384" },
    { rule: "a message larger than a topic takes", call: (us) => us.publish("prices.x", "x".repeat(240 * 1_024)), says: "takes 245760" },
    { rule: "a topic that may not be made", call: (us) => us.publish("secret", "x"), says: 'declare it in "topics"' },
  ])("$rule", async ({ call, says }) => {
    await expect(call(await connectTo("us"))).rejects.toThrow(says);
  });

  test("to consume once it is closed", async () => {
    const us = await connectTo("us");
    await us.close();
    await expect(us.consume("queue://orders.new", () => {})).rejects.toThrow("connect again");
  });
});

test("ready names what it waits for, and what to do where somebody can do something", async () => {
  const us = await connectTo("us");
  await us.consume("queue://secret", () => {});
  await expect(us.ready({ timeout: 1_500 })).rejects.toThrow(/not ready after 1.5 s.*\n {2}queue:\/\/secret the destination: declare it/);
});
