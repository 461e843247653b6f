import { describe, expect, test } from "vitest";
import { nativeSubscriber } from "../../support/simulator/native.ts";
import { bodies, simulate } from "../../support/simulator/network.ts";
import { mesh, networkOf, pair } from "../../support/simulator/topologies.ts";
import { type Played, play } from "./scenario.ts";

const topic = "topic://TEST.FOO";
const everywhere = { a: 1, b: 1, c: 1 };
const each = { a: 100, b: 100, c: 100 };

describe("a topic's subscribers", () => {
  test.for<Played>([
    {
      rule: "B1: get what comes over one hop, no more, along a line",
      ways: "a -> b, b -> c",
      consumers: everywhere,
      sends: each,
      got: { a: 100, b: 200, c: 200 },
    },
    {
      rule: "B3: at both ends get the middle's",
      ways: "b -> a, b -> c",
      consumers: everywhere,
      sends: each,
      got: { a: 200, b: 100, c: 200 },
    },
    {
      rule: "B4: in the middle get both ends'",
      ways: "a -> b, c -> b",
      consumers: everywhere,
      sends: each,
      got: { a: 100, b: 300, c: 100 },
    },
    {
      rule: "B5: get everything once in a mesh with a TTL of 1",
      ways: mesh(3),
      consumers: everywhere,
      sends: each,
      got: { a: 300, b: 300, c: 300 },
    },
    {
      rule: "B6: get it once in a mesh with a TTL of 2",
      ways: mesh(3),
      connector: { networkTTL: 2 },
      consumers: everywhere,
      sends: { a: 1 },
      got: { a: 1, b: 1, c: 1 },
    },
    {
      rule: "B12: of a cluster get what is published anywhere, no more",
      ways: mesh(3),
      consumers: everywhere,
      sends: { a: 50, b: 50, c: 50 },
      got: { a: 150, b: 150, c: 150 },
    },
    {
      rule: "B9: alone in a mesh with suppression get everything once, whatever the TTL",
      ways: mesh(3),
      connector: { networkTTL: 3 },
      consumers: { b: 1 },
      sends: { a: 10 },
      got: { b: 10 },
    },
    { rule: "B10: here and there get everything", ways: "a -> b", consumers: { a: 1, b: 1 }, sends: { a: 100 }, got: { a: 100, b: 100 } },
    { rule: "B15: two at the peer get everything once each", ways: "a -> b", consumers: { b: 2 }, sends: { a: 10 }, got: { b: 20 } },
    {
      rule: "TTL-2: two hops away get everything with a TTL of 2",
      ways: "a -> b, b -> c",
      connector: { networkTTL: 2 },
      consumers: { c: 1 },
      sends: { a: 10 },
      got: { c: 10 },
    },
    {
      rule: "TTL-4: elsewhere get nothing with a TTL of 0",
      ways: pair,
      connector: { networkTTL: 0 },
      consumers: { a: 1, b: 1 },
      sends: { a: 10 },
      got: { a: 10, b: 0 },
    },
  ])("$rule", async ({ got, ...scenario }) => {
    expect(await play({ ...scenario, destination: topic })).toEqual(got);
  });

  test.for([
    { rule: "B9: without suppression a second way brings a message twice", enableAudit: false, got: ["m", "m"] },
    { rule: "the audit drops what a second way brings", enableAudit: true, got: ["m"] },
  ])("$rule", async ({ enableAudit, got }) => {
    const connector = { networkTTL: 3, suppressDuplicateTopicSubscriptions: false };
    const policies = { destinationPolicies: [{ destination: "topic://>", enableAudit }] };
    const net = await simulate(networkOf(mesh(3), connector, { brokers: { b: policies } }));
    const subscriber = net.connect("b");
    await subscriber.consume(topic);
    await net.run();
    net.publish("a", topic, ["m"]);
    await net.run();
    expect(subscriber.bodies()).toEqual(got);
  });

  test.for([
    { rule: "one way brings it", suppress: true, doubles: 0 },
    { rule: "without suppression a second copy of each is dropped and counted", suppress: false, doubles: 100 },
  ])("N09 in a mesh with a TTL of 2 a subscriber gets each message once: $rule", async ({ suppress, doubles }) => {
    const net = await simulate(networkOf(mesh(3), { networkTTL: 2, suppressDuplicateTopicSubscriptions: suppress }));
    const subscriber = net.connect("c");
    await subscriber.consume(topic);
    await net.run();
    net.send("a", topic, bodies("m", 100));
    await net.run();
    const dropped = net.broker("c").outcomes.flatMap(({ steps }) => steps.filter(({ reason }) => reason === "duplicate"));
    expect([subscriber.bodies().toSorted(), dropped.length]).toEqual([bodies("m", 100).toSorted(), doubles]);
  });

  test("B1: what AWS carries one hop too far is dropped on arrival, with its reason", async () => {
    const net = await simulate(networkOf("a -> b, b -> c"));
    for (const at of ["b", "c"]) await net.connect(at).consume(topic);
    await net.run();
    nativeSubscriber(net, "b", topic); // so that b publishes
    await net.run();
    net.publish("a", topic, bodies("m", 5));
    await net.run();
    const reasons = net.broker("c").outcomes.flatMap(({ steps }) => steps.map(({ verdict, reason }) => `${verdict} ${reason}`));
    expect(reasons.filter((said) => said !== "passed-on probe")).toEqual(Array(5).fill("dropped ttl-spent"));
  });
});

describe("traffic of a topic", () => {
  test("B11: a subscriber here only: nothing crosses", async () => {
    const net = await simulate(networkOf("a -> b"));
    const here = net.connect("a");
    await here.consume(topic);
    await net.run();
    net.publish("a", topic, bodies("m", 100));
    await net.run();
    expect([here.received.length, net.crossings("a", "b")]).toEqual([100, 0]);
  });

  test("B15: two subscribers at the peer: each message crosses once", async () => {
    const net = await simulate(networkOf("a -> b"));
    for (const client of [net.connect("b"), net.connect("b")]) await client.consume(topic);
    await net.run();
    net.publish("a", topic, bodies("m", 10));
    await net.run();
    expect(net.crossings("a", "b")).toBe(10);
  });

  test("B14: an included topic crosses, an excluded one doesn't", async () => {
    const connector = { dynamicallyIncludedDestinations: ["topic://include.>"], excludedDestinations: ["topic://exclude.>"] };
    const net = await simulate(networkOf("a -> b", connector, { brokers: { a: { topics: ["include.t", "exclude.t"] } } }));
    const subscriber = net.connect("b");
    for (const included of ["topic://include.t", "topic://exclude.t"]) await subscriber.consume(included);
    await net.run();
    for (const sent of ["topic://include.t", "topic://exclude.t"]) net.publish("a", sent, [sent]);
    await net.run();
    expect([subscriber.bodies(), net.crossings("a", "b")]).toEqual([["topic://include.t"], 1]);
  });

  test("DEM-11: nothing that was published before demand arrived is forwarded", async () => {
    const net = await simulate(networkOf("a -> b", {}, { brokers: { a: { topics: ["TEST.FOO"] } } }));
    net.publish("a", topic, ["early"]);
    const subscriber = net.connect("b");
    await subscriber.consume(topic);
    await net.run();
    net.publish("a", topic, ["late"]);
    await net.run();
    expect(subscriber.bodies()).toEqual(["late"]);
  });
});

describe("H24 two ways lead to one subscriber behind a conduit: one subscription, as long as one of them stands", () => {
  const topic = "topic://prices";
  const ways = "a -> b, b -> c, b -> d, c -> e, d -> e";

  test.for([
    { rule: "c's goes first", order: ["c", "d"] },
    { rule: "d's goes first", order: ["d", "c"] },
  ])("$rule", async ({ order }) => {
    const net = await simulate(networkOf(ways, { networkTTL: 5, suppressDuplicateTopicSubscriptions: false }));
    const client = net.connect("e");
    await client.consume(topic);
    await net.run();
    const counts = [(await net.linkCandidates("a", topic)).length];
    for (const at of order) {
      await net.command(at, "to-e", "stop");
      await net.run();
      counts.push((await net.linkCandidates("a", topic)).length);
      net.send("a", topic, [`after ${at}`]);
      await net.run();
    }
    expect(counts).toEqual([1, 1, 0]);
    expect(client.bodies()).toEqual([`after ${order[0]}`]);
  });
});
