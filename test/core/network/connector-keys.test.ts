import { describe, expect, test } from "vitest";
import { connectorSchema } from "../../../core/config/schema/connector.ts";
import { isUnread } from "../../../core/config/schema/unread.ts";
import { linksWithDemand, subscribeDurable } from "../../support/simulator/durables.ts";
import { bodies, type SimulatedNetwork, simulate } from "../../support/simulator/network.ts";
import { type Connector, chain, mesh, networkOf } from "../../support/simulator/topologies.ts";
import { subscriptionsOn } from "./scenario.ts";

const queue = "queue://orders.new";
const other = "queue://other";
const topic = "topic://prices";
const hour = 3_600_000;

type Scene = (net: SimulatedNetwork) => Promise<unknown>;

/** A consumer at each of these brokers, then twelve messages at one of them: how many each got. */
const shared =
  (brokers: string, from = "a", priorities: readonly number[] = []): Scene =>
  async (net) => {
    const clients = brokers.split("").map((at) => net.connect(at));
    for (const [index, client] of clients.entries()) await client.consume(queue, { priority: priorities[index] ?? 0 });
    await net.run();
    net.send(from, queue, bodies("m", 12));
    await net.run();
    return clients.map(({ received }) => received.length);
  };

/** Consumers of three destinations at b, a message to each at a: which got there. */
const heard: Scene = async (net) => {
  const client = net.connect("b");
  for (const destination of [queue, other, topic]) await client.consume(destination);
  await net.run();
  for (const destination of [queue, other, topic]) net.send("a", destination, [destination]);
  await net.run();
  return client.bodies().toSorted();
};

/** Nobody consumes: how many messages of two queues rest at b. */
const unwanted: Scene = async (net) => {
  for (const destination of [queue, other]) net.send("a", destination, bodies("m", 3));
  await net.run();
  return [queue, other].map((destination) => net.depth("b", destination));
};

/** How many of twelve cross that the only consumer's selector refuses. */
const refused: Scene = async (net) => {
  await net.connect("b").consume(queue, { selector: "JMSPriority = 9" });
  await net.run();
  net.send("a", queue, bodies("m", 12));
  await net.run();
  return net.crossings("a", "b");
};

/** Subscriptions at b for a consumer at a. */
const counted: Scene = async (net) => {
  await net.connect("a").consume(queue);
  await net.run();
  return subscriptionsOn(net, "b", queue);
};
const countedTopic: Scene = async (net) => {
  await net.connect("a").consume(topic);
  await net.run();
  return linksWithDemand(net, "b", topic);
};

/** A durable subscription whose subscriber left before the connector was started: links with demand. */
const offline: Scene = async (net) => {
  await (await subscribeDurable(net, "b", topic)).close();
  await net.run();
  await net.command("a", "to-b", "start");
  await net.run();
  return linksWithDemand(net, "a", topic);
};

/** A plain subscriber whose broker falls silent for longer than a lease. */
const silent: Scene = async (net) => {
  await net.connect("b").consume(topic);
  await net.run();
  net.cut("a", "b");
  await net.run(2 * hour);
  return linksWithDemand(net, "a", topic);
};

/** Links that have demand for a queue of b's. */
const carrying: Scene = async (net) => {
  await net.connect("b").consume(queue);
  await net.run();
  return linksWithDemand(net, "a", queue);
};

interface Row {
  readonly key: string;
  readonly value: unknown;
  readonly rule: string;
  readonly ways?: string;
  /** What else the connectors have, with the key and without. */
  readonly beside?: Connector;
  readonly scene: Scene;
  readonly without: unknown;
  readonly with: unknown;
}

const all = [queue, other, topic];
const decreasing = { decreaseNetworkConsumerPriority: true };
const far = { messageTTL: 2, consumerTTL: 2 };

const table: readonly Row[] = [
  { key: "name", value: "first", rule: "names the link", scene: carrying, without: ["a:to-b"], with: ["a:first"] },
  { key: "to", value: "c", rule: "says where it leads", ways: "a -> b, b -> c", scene: shared("bc"), without: [12, 0], with: [0, 12] },
  { key: "duplex", value: true, rule: "carries the other way", scene: shared("a", "b"), without: [0], with: [12] },
  { key: "networkTTL", value: 2, rule: "2: over two links", ways: chain(3), scene: shared("c"), without: [0], with: [12] },
  { key: "networkTTL", value: -1, rule: "-1: over any number", ways: chain(4), scene: shared("d"), without: [0], with: [12] },
  { key: "networkTTL", value: 0, rule: "0: over none", scene: shared("b"), without: [12], with: [0] },
  { key: "messageTTL", value: 2, rule: "2: two", ways: chain(3), beside: { consumerTTL: 2 }, scene: shared("c"), without: [0], with: [12] },
  {
    key: "messageTTL",
    value: -1,
    rule: "-1: any",
    ways: chain(4),
    beside: { consumerTTL: 3 },
    scene: shared("d"),
    without: [0],
    with: [12],
  },
  { key: "messageTTL", value: 0, rule: "0: none", scene: shared("b"), without: [12], with: [0] },
  { key: "consumerTTL", value: 2, rule: "2: two", ways: chain(3), beside: { messageTTL: 2 }, scene: shared("c"), without: [0], with: [12] },
  {
    key: "consumerTTL",
    value: -1,
    rule: "-1: any",
    ways: chain(4),
    beside: { messageTTL: 3 },
    scene: shared("d"),
    without: [0],
    with: [12],
  },
  {
    key: "consumerTTL",
    value: 0,
    rule: "0: the peer's own clients",
    ways: chain(3),
    beside: { networkTTL: 2 },
    scene: shared("c"),
    without: [12],
    with: [0],
  },
  { key: "conduitSubscriptions", value: false, rule: "each counts", scene: shared("abb"), without: [6, 3, 3], with: [4, 4, 4] },
  {
    key: "conduitNetworkQueueSubscriptions",
    value: true,
    rule: "folds what the peer stands for, too",
    ways: "a -> b, b -> c",
    beside: far,
    scene: shared("abc"),
    without: [4, 4, 4],
    with: [6, 3, 3],
  },
  { key: "conduitSelectors", value: "ignore", rule: "everything crosses", scene: refused, without: 0, with: 12 },
  { key: "decreaseNetworkConsumerPriority", value: true, rule: "near ones first", scene: shared("ab"), without: [6, 6], with: [12, 0] },
  {
    key: "consumerPriorityBase",
    value: -20,
    rule: "is the priority at one hop",
    beside: decreasing,
    scene: shared("ab", "a", [-10, 0]),
    without: [0, 12],
    with: [12, 0],
  },
  {
    key: "suppressDuplicateQueueSubscriptions",
    value: true,
    rule: "a farther way is none",
    ways: mesh(3),
    beside: { networkTTL: 3 },
    scene: counted,
    without: 2,
    with: 1,
  },
  {
    key: "suppressDuplicateTopicSubscriptions",
    value: false,
    rule: "false: each way is one",
    ways: mesh(3),
    beside: { networkTTL: 3 },
    scene: countedTopic,
    without: ["b:to-a"],
    with: ["b:to-a", "b:to-c"],
  },
  { key: "prefetchSize", value: 1, rule: "more stays here", scene: shared("ab"), without: [6, 6], with: [10, 2] },
  { key: "dynamicallyIncludedDestinations", value: ["queue://orders.>"], rule: "only these", scene: heard, without: all, with: [queue] },
  {
    key: "dynamicallyIncludedDestinations",
    value: [`${topic}?forceDurable=true`],
    rule: "with forceDurable it outlasts silence",
    scene: silent,
    without: [],
    with: ["a:to-b"],
  },
  {
    key: "staticallyIncludedDestinations",
    value: ["queue://orders.*"],
    rule: "wanted or not",
    scene: unwanted,
    without: [0, 0],
    with: [3, 0],
  },
  { key: "excludedDestinations", value: ["queue://*", "topic://>"], rule: "never these", scene: heard, without: all, with: [queue] },
  { key: "syncDurableSubs", value: true, rule: "all", beside: { autoStart: false }, scene: offline, without: [], with: ["a:to-b"] },
  {
    key: "dynamicOnly",
    value: true,
    rule: "none without a subscriber",
    beside: { autoStart: false, syncDurableSubs: true },
    scene: offline,
    without: ["a:to-b"],
    with: [],
  },
  { key: "staticBridge", value: true, rule: "hears nothing", scene: heard, without: all, with: [] },
  { key: "destinationFilter", value: "Queue.>", rule: "hears only these", scene: heard, without: all, with: [queue, other] },
  {
    key: "destinationFilter",
    value: "ActiveMQ.Advisory.Consumer.Topic.prices",
    rule: "the prefix may be written",
    scene: heard,
    without: all,
    with: [topic],
  },
  {
    key: "destinationFilter",
    value: "Queue.>",
    rule: "in place of the one derived from the dynamic list",
    beside: { dynamicallyIncludedDestinations: [queue, topic] },
    scene: heard,
    without: [queue, topic],
    with: [queue],
  },
  { key: "autoStart", value: false, rule: "waits for a start", scene: shared("b"), without: [12], with: [0] },
  { key: "removed", value: true, rule: "is stopped", scene: shared("b"), without: [12], with: [0] },
];

describe("a key of a connector that was ignored would show", () => {
  test.for(table)("$key: $rule", async ({ key, value, ways = "a -> b", beside, scene, without, with: expected }) => {
    const played = async (connector: Connector) => scene(await simulate(networkOf(ways, connector)));
    expect({ without: await played({ ...beside }), with: await played({ ...beside, [key]: value }) }).toEqual({ without, with: expected });
  });

  test("a broker's advisorySupport: false tells peers of nothing, and what they include statically crosses all the same", async () => {
    const connector = { staticallyIncludedDestinations: [other] };
    const played = async (advisorySupport: boolean) =>
      heard(await simulate(networkOf("a -> b", connector, { brokers: { b: { advisorySupport } } })));
    expect([await played(true), await played(false)]).toEqual([all, [other]]);
  });

  test("and every key has a row, but for those that are said to set nothing", () => {
    const keys = Object.keys(connectorSchema.shape).filter((key) => !isUnread(key));
    expect([...new Set(table.map(({ key }) => key))].toSorted()).toEqual(keys.toSorted());
  });
});
