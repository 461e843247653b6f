import { describe, expect, test } from "vitest";
import { bodies, type SimulatedNetwork, simulate } from "../../support/simulator/network.ts";
import { type Connector, networkOf } from "../../support/simulator/topologies.ts";

const queue = "queue://TEST.FOO";
const topic = "topic://TEST.FOO";

/** Two connectors from a to b, `one` and `two`, alike but for what is said of each. */
const parallel = (connector: Connector = {}, one: Connector = {}, two: Connector = {}) => {
  const networkConnectors = [
    { name: "one", to: "b", ...connector, ...one },
    { name: "two", to: "b", ...connector, ...two },
  ];
  return simulate(networkOf("a -> b", {}, { brokers: { a: { networkConnectors } } }));
};
const consume = async (net: SimulatedNetwork, at: string, ...destinations: readonly string[]) => {
  const client = net.connect(at);
  for (const destination of destinations) await client.consume(destination);
  await net.run();
  return client;
};
const send = async (net: SimulatedNetwork, destination: string, texts: readonly string[]) => {
  net.send("a", destination, texts);
  await net.run();
};
/** Messages that each of the two brought to b, doubles included. */
const brought = (net: SimulatedNetwork): readonly number[] =>
  ["a:one", "a:two"].map(
    (link) => net.broker("b").outcomes.filter(({ cameBy, messageId }) => messageId !== undefined && cameBy === link).length,
  );
const command = async (net: SimulatedNetwork, connector: string, run: "start" | "stop") => {
  await net.command("a", connector, run);
  await net.run();
};

describe("two connectors from one broker to another", () => {
  test.for([
    { kind: "queues", names: ["queue://one.x", "queue://two.x", "queue://three.x"] },
    { kind: "topics", names: ["topic://one.x", "topic://two.x", "topic://three.x"] },
  ])("with disjoint $kind carry each its own, and what neither includes stays", async ({ names }) => {
    const included = (name = ""): Connector => ({ dynamicallyIncludedDestinations: [name.replace(".x", ".>")] });
    const net = await parallel({}, included(names[0]), included(names[1]));
    const client = await consume(net, "b", ...names);
    for (const name of names) await send(net, name, bodies(name, 5));
    expect([brought(net), client.bodies().length]).toEqual([[5, 5], 10]);
  });

  test("with the same queues share what crosses, and each message arrives once", async () => {
    const net = await parallel();
    const client = await consume(net, "b", queue);
    await send(net, queue, bodies("m", 40));
    expect([brought(net), client.bodies().toSorted()]).toEqual([[20, 20], bodies("m", 40).toSorted()]);
    expect(net.problems()).toEqual([]);
  });

  test.for([
    { rule: "are two beside a consumer here, as in the original", suppress: false, got: [10, 20] },
    { rule: "are one beside it where duplicates are suppressed", suppress: true, got: [15, 15] },
  ])("with the same queues $rule", async ({ suppress, got }) => {
    const net = await parallel({ suppressDuplicateQueueSubscriptions: suppress });
    const clients = [await consume(net, "a", queue), await consume(net, "b", queue)];
    await send(net, queue, bodies("m", 30));
    expect(clients.map((client) => client.received.length)).toEqual(got);
  });

  test.for([
    { rule: "one copy crosses, by one of them", suppress: true, crossed: [10, 0] },
    { rule: "without suppression two cross, and the second one is dropped", suppress: false, crossed: [10, 10] },
  ])("with the same topics: $rule", async ({ suppress, crossed }) => {
    const net = await parallel({ suppressDuplicateTopicSubscriptions: suppress });
    const client = await consume(net, "b", topic);
    await send(net, topic, bodies("m", 10));
    expect([brought(net), client.bodies().toSorted()]).toEqual([crossed, bodies("m", 10)]);
  });

  test.for([queue, topic])("stopped one after the other the other carries %s, and started it has its part again", async (destination) => {
    const net = await parallel();
    const client = await consume(net, "b", destination);
    await send(net, destination, bodies("m", 10));
    await command(net, "one", "stop");
    const before = brought(net);
    await send(net, destination, bodies("n", 10));
    expect(brought(net)).toEqual([before[0], (before[1] ?? 0) + 10]);
    await command(net, "one", "start");
    await command(net, "two", "stop");
    await send(net, destination, bodies("o", 10));
    expect(client.bodies().toSorted()).toEqual([...bodies("m", 10), ...bodies("n", 10), ...bodies("o", 10)]);
  });

  test("both stopped a queue's messages rest, and one that is started takes them all", async () => {
    const net = await parallel();
    const client = await consume(net, "b", queue);
    for (const name of ["one", "two"]) await command(net, name, "stop");
    await send(net, queue, bodies("m", 7));
    expect([client.received.length, net.depth("a", queue)]).toEqual([0, 7]);
    await command(net, "two", "start");
    expect([brought(net), net.depth("a", queue)]).toEqual([[0, 7], 0]);
  });

  test("N36 of which one is duplex have names of their own at either end, and a topic comes back once", async () => {
    const networkConnectors = [{ name: "both", to: "b", duplex: true }];
    const back = [{ name: "back", to: "a" }];
    const net = await simulate(networkOf("a -> b", {}, { brokers: { a: { networkConnectors }, b: { networkConnectors: back } } }));
    const client = await consume(net, "a", topic);
    net.send("b", topic, bodies("m", 10));
    await net.run();
    expect(client.bodies().toSorted()).toEqual(bodies("m", 10));
    const ends = net.cloud.queues.arns().filter((arn) => /-in-|-undelivered-/.test(arn));
    expect(new Set(ends).size).toBe(6);
  });
});
