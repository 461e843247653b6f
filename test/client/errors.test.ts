import { DeleteQueueCommand } from "@aws-sdk/client-sqs";
import { describe, expect, test, vi } from "vitest";
import { type Connection, connect, type SendOptions } from "../../client/index.ts";
import { eventually } from "../support/eventually.ts";
import { twoRegions, useNetwork } from "./a-network.ts";

// Where the SDK would find credentials of whoever runs the tests.
vi.stubEnv("AWS_ACCESS_KEY_ID", undefined);
vi.stubEnv("AWS_PROFILE", undefined);
vi.stubEnv("AWS_SHARED_CREDENTIALS_FILE", "/nowhere");
vi.stubEnv("AWS_CONFIG_FILE", "/nowhere");
vi.stubEnv("AWS_EC2_METADATA_DISABLED", "true");

const { clients, env, connectTo } = useNetwork(twoRegions({ autoCreateDestinations: ["queue://orders.>", "topic://prices.>"] }), [
  "throttling",
]);

describe("connect says in words", () => {
  test.for([
    { rule: "that no region is set", change: { AWS_REGION: "" }, says: "no AWS region: set AWS_REGION" },
    { rule: "that there are no credentials", change: { AWS_ACCESS_KEY_ID: undefined }, says: "no AWS credentials: set AWS_ACCESS_KEY_ID" },
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

const sending = (properties: SendOptions["properties"] & object) => (us: Connection) => us.send("orders.new", "", { properties });

describe("a connection refuses", () => {
  test.for<{ rule: string; call: (us: Connection) => Promise<unknown>; says: string }>([
    { rule: "to send to a topic", call: (us) => us.send("topic://prices", ""), says: "topic://prices is no queue" },
    { rule: "to publish to a queue", call: (us) => us.publish("queue://orders", ""), says: "queue://orders is no topic" },
    { rule: "no name at all", call: (us) => us.send("queue://", ""), says: "names no destination" },
    { rule: "a composite of nothing", call: (us) => us.send("queue://,", ""), says: "names no destination" },
    { rule: "to send to a pattern", call: (us) => us.send("queue://orders.>", ""), says: "queue://orders.> is a pattern" },
    { rule: "to publish to a pattern", call: (us) => us.publish("prices.a,prices.*", ""), says: "is a pattern" },
    { rule: "a priority out of range", call: (us) => us.send("orders.new", "", { priority: 10 }), says: "between 0 and 9" },
    { rule: "half a millisecond to live", call: (us) => us.send("orders.new", "", { timeToLive: 0.5 }), says: "timeToLive 0.5" },
    { rule: "to live for less than nothing", call: (us) => us.send("orders.new", "", { timeToLive: -1 }), says: "timeToLive -1" },
    { rule: "a byte too large", call: sending({ p: { type: "byte", value: 128 } }), says: "property p: 128 is no byte" },
    { rule: "half an int", call: sending({ p: { type: "int", value: 0.5 } }), says: "property p: 0.5 is no int" },
    { rule: "a bigint beyond a long", call: sending({ p: 2n ** 63n }), says: "a whole number of 64 bits" },
    { rule: "a prefetch of nothing", call: (us) => us.consume("orders.new", () => {}, { prefetchSize: 0 }), says: "prefetchSize 0" },
    {
      rule: "what is no selector",
      call: (us) => us.consume("orders.new", () => {}, { selector: "amount >" }),
      says: 'selector "amount >": must be a selector: at column 9 a value is expected, not the end',
    },
    { rule: "a consumer of half a priority", call: (us) => us.consume("orders.new", () => {}, { priority: 0.5 }), says: "priority 0.5" },
    { rule: "a message larger than a queue takes", call: (us) => us.send("orders.new", "x".repeat(1_016 * 1_024)), says: "takes 1040384" },
    { rule: "a message larger than a topic takes", call: (us) => us.publish("prices.x", "x".repeat(240 * 1_024)), says: "takes 245760" },
    {
      rule: "a message to several that one of them, a topic, doesn't take",
      call: (us) => us.send("orders.new,topic://prices.x", "x".repeat(240 * 1_024)),
      says: "a topic takes 245760",
    },
    { rule: "a composite that is FIFO in part", call: (us) => us.send("orders.new,orders.fifo", "x"), says: "is FIFO in part" },
    { rule: "to publish to what is FIFO in part", call: (us) => us.publish("prices.fifo,prices.x", "x"), says: "is FIFO in part" },
    {
      rule: "a FIFO queue that isn't declared",
      call: (us) => us.send("orders.fifo", "x"),
      says: "no queue://orders.fifo: a FIFO destination isn't made on first use",
    },
    {
      rule: "a FIFO topic that isn't declared",
      call: (us) => us.publish("prices.fifo", "x"),
      says: "no topic://prices.fifo: a FIFO destination isn't made on first use",
    },
    { rule: "a topic that may not be made", call: (us) => us.publish("secret", "x"), says: 'declare it in "topics"' },
  ])("$rule", async ({ call, says }) => {
    await expect(call(await connectTo("us"))).rejects.toThrow(says);
  });

  test.for<{ rule: string; call: (us: Connection) => Promise<unknown> }>([
    { rule: "to send", call: (us) => us.send("orders.new", "") },
    { rule: "to publish", call: (us) => us.publish("prices.x", "") },
    { rule: "to consume", call: (us) => us.consume("orders.new", () => {}) },
    { rule: "to subscribe", call: (us) => us.subscribe("prices.x", () => {}) },
    { rule: "to be ready", call: (us) => us.ready() },
  ])("$rule once it is closed", async ({ call }) => {
    const us = await connectTo("us");
    await us.close();
    await us.close();
    await expect(call(us)).rejects.toThrow("this connection is closed: connect again");
  });
});

test("a consumer that can't be announced isn't there: nothing is left to close", async () => {
  const nowhere = { ...env("us"), AWS_ENDPOINT_URL_SQS: "http://127.0.0.1:9" };
  const us = await connect({ network: "test", broker: "us", env: nowhere, onProblem: () => {} });
  await expect(us.consume("orders.new", () => {})).rejects.toThrow("nothing answers at http://127.0.0.1:9");
  await us.close();
});

describe("ready names what it waits for", () => {
  test("and what to do where somebody can do something", async () => {
    const us = await connectTo("us");
    await us.consume("queue://secret", () => {});
    const said = () => us.ready({ timeout: 1_000 }).catch(({ message }: Error) => message);
    await eventually(said).toMatch(/not ready after 1 s.*\n {2}queue:\/\/secret the destination: declare it/);
    await us.close();
  });

  test("a peer that doesn't hear of it", async () => {
    await clients("us").sqs.send(new DeleteQueueCommand({ QueueUrl: "http://sqs/000000000000/spanmq-test-us-sys-control" }));
    const eu = await connectTo("eu");
    await eu.consume("queue://orders.new", () => {});
    const said = () => eu.ready({ timeout: 500 }).catch(({ message }: Error) => message);
    await eventually(said).toContain("waiting for:\n  queue://orders.new broker us to put the demand into effect (link us:us-eu)");
  });
});
