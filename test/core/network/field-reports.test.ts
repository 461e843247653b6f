import { distance } from "fastest-levenshtein";
import { describe, expect, test } from "vitest";
import type { ControlEvent } from "../../../core/broker/events.ts";
import type { NetworkInput } from "../../../core/config/define-network.ts";
import { parseNetwork } from "../../../core/config/parse-network.ts";
import { sharedPart, sliceFor } from "../../../core/config/slice.ts";
import { destinationOf } from "../../../core/destination/destination.ts";
import { brokerId, connectionId, linkId } from "../../../core/ids.ts";
import { encodeProducer } from "../../../core/message/encode.ts";
import { bodies, type SimulatedNetwork, simulate } from "../../support/simulator/network.ts";
import { chain, networkOf, pair } from "../../support/simulator/topologies.ts";

const queue = "queue://TEST.FOO";
const topic = "topic://TEST.FOO";
const minute = 60_000;
const day = 24 * 60 * minute;

const tell = (net: SimulatedNetwork, at: string, events: readonly ControlEvent[]) =>
  net.broker(at).ports.events.send(events.map((event) => ({ to: brokerId(at), event })));
const linkState = async (net: SimulatedNetwork, at: string, to: string) =>
  (await net.broker(at).brain.read("link", "", linkId(brokerId(at), `to-${to}`)))?.value;

describe("N12: consumers come and go behind a conduit link", () => {
  /** Rows of both tables and their largest bytes while `count` consumers of each sort are there, and a day after they left. */
  const footprints = async (count: number) => {
    const net = await simulate(networkOf(pair));
    const stays = net.connect("b");
    const clients = Array.from({ length: count }, () => net.connect("b"));
    for (const client of clients) {
      for (const destination of [queue, topic, "topic://TEST.>"]) await client.consume(destination);
      await client.consume(queue, { prefetchSize: 5 });
      const consumer = await stays.consume(topic);
      await net.run(1_000);
      await stays.drop(consumer);
    }
    await net.run();
    const during = net.rows("a").size;
    for (const client of clients) await client.close();
    await stays.close();
    await net.run(day + 5 * minute);
    expect(net.problems()).toEqual([]);
    const rows = [...net.rows("a"), ...net.rows("b")];
    return { during, after: rows.map(([key]) => key).toSorted(), largest: Math.max(...rows.map(([, bytes]) => bytes)) };
  };

  test("a peer's rows don't depend on their number, and a day later nothing of them is left", async () => {
    const [few, many] = [await footprints(2), await footprints(40)];
    expect(many.during).toBe(few.during);
    expect(many.after).toEqual(few.after);
    expect(many.largest - few.largest).toBeLessThan(20);
  }, 20_000);

  test("one connection that opens and closes them keeps its size", async () => {
    const net = await simulate(networkOf(pair));
    const client = net.connect("b");
    const sizes: number[] = [];
    for (let n = 0; n < 60; n += 1) {
      await client.drop(await client.consume(topic));
      await net.run(2 * minute);
      sizes.push(Math.max(...net.rows("b").values()));
    }
    expect(Math.max(...sizes.slice(30)) - Math.max(...sizes.slice(0, 30))).toBeLessThan(20);
  });
});

test.for([
  { rule: "N11: a subscriber behind the hub", others: [] },
  {
    rule: "N11: two subscribers behind the hub, of other priorities and selectors",
    others: [{ priority: 5 }, { selector: "JMSPriority = 4" }],
  },
])("$rule gets each topic message once without conduit, while another leaf is connected, too, and the hub one copy", async ({ others }) => {
  const net = await simulate(networkOf("h <-> a, h <-> b, h <-> c", { networkTTL: 2, conduitSubscriptions: false }));
  const clients = ["a", "b"].map((at) => net.connect(at));
  for (const client of clients) for (const options of [{}, ...others]) await client.consume(topic, options);
  await net.run();
  net.publish("c", topic, bodies("m", 10), {});
  await net.run();
  const each = clients.flatMap((client) => [{}, ...others].map((_, n) => client.bodies(`c${n + 1}`).toSorted()));
  expect(each).toEqual(each.map(() => bodies("m", 10)));
  expect(net.crossings("c", "h")).toBe(10);
});

test("N13: a thousand handshakes leave one row of the peer", async () => {
  const net = await simulate(networkOf(pair));
  const before = [net.rows("a").size, net.rows("b").size];
  for (let n = 0; n < 1_000; n += 1) {
    await tell(net, "a", [{ event: "probe", link: linkId(brokerId("a"), "to-b") }]);
    await net.run(100);
  }
  const hellos = await net.broker("b").brain.list("hello", "");
  expect(hellos.map(({ id }) => id)).toEqual(["a:to-b"]);
  expect([net.rows("a").size, net.rows("b").size]).toEqual(before);
});

test("N16: a close that overtakes the removal of a consumer, each twice: nothing is left and nothing throws", async () => {
  const net = await simulate(networkOf(pair));
  const consumers = [queue, topic].map((destination, index) => ({ id: `c${index}`, destination, priority: 0 }));
  const state = (counter: number, left: number, closed = false): ControlEvent => ({
    event: "connection",
    state: { connection: connectionId("conn"), counter, consumers: consumers.slice(0, left), closed },
  });
  await tell(net, "b", [state(1, 2)]);
  await net.run();
  expect((await net.linkCandidates("a", queue)).length).toBe(1);
  const [close, removal] = [state(3, 0, true), state(2, 1)];
  const removals: ControlEvent[] = [close, { event: "expire", connection: "conn" }, removal, { event: "judge", destination: queue }];
  await tell(
    net,
    "b",
    removals.flatMap((event) => [event, event]),
  );
  await net.run();
  for (const destination of [queue, topic]) {
    expect(await net.linkCandidates("a", destination)).toEqual([]);
    expect(await net.broker("b").brain.list("presence", destination)).toEqual([]);
  }
  expect(net.problems()).toEqual([]);
});

describe("N24: of two consumers two hops away one leaves", () => {
  test.for([queue, topic])("the other still gets what is sent to %s", async (destination) => {
    const net = await simulate(networkOf(chain(3), { networkTTL: 2 }));
    const [leaves, stays] = [net.connect("c"), net.connect("c")];
    for (const client of [leaves, stays]) await client.consume(destination);
    await net.run();
    await leaves.close();
    await net.run();
    net.send("a", destination, bodies("m", 10));
    await net.run();
    expect(stays.bodies().toSorted()).toEqual(bodies("m", 10));
  });
});

describe("N28: a peer that was never deployed", () => {
  test("is waited for, tick after tick, and nothing throws", async () => {
    const net = await simulate(networkOf(pair), { absent: ["b"] });
    await net.connect("a").consume(queue);
    const first = await linkState(net, "a", "b");
    await net.run(10 * minute);
    const later = await linkState(net, "a", "b");
    expect([first?.state, later?.state]).toEqual(["waiting for peer", "waiting for peer"]);
    expect((later?.probedAt ?? 0) - (first?.probedAt ?? 0)).toBe(10 * minute);
    expect(net.problems()).toEqual([]);
  });

  test("starts its links both ways when it comes, and all that was wanted meanwhile is demand", async () => {
    const net = await simulate(networkOf(pair), { absent: ["b"] });
    const here = net.connect("a");
    await here.consume(queue);
    await net.run();
    await net.deploy("b");
    await net.run();
    expect([(await linkState(net, "a", "b"))?.state, (await linkState(net, "b", "a"))?.state]).toEqual(["started", "started"]);
    net.send("b", queue, ["m"]);
    await net.run();
    expect(here.bodies()).toEqual(["m"]);
  });

  test("of a peer that falls silent for its lease nothing is expected, until it answers again", async () => {
    const net = await simulate(networkOf(pair, {}, { brokers: { a: { peerLease: 300 } } }));
    const there = net.connect("b");
    await there.consume(queue);
    await net.run();
    net.cut("b");
    await net.run(7 * minute);
    expect([(await linkState(net, "a", "b"))?.state, await net.linkCandidates("a", queue)]).toEqual(["waiting for peer", []]);
    net.send("a", queue, ["m"]);
    await net.run();
    expect(net.depth("a", queue)).toBe(1);
    net.heal("b");
    await net.run();
    expect([there.bodies(), net.depth("a", queue)]).toEqual([["m"], 0]);
  });
});

test("C29: a thousand consumers appear within a minute: control backs off on 'Rate exceeded', all demand is right at the end, no message is lost meanwhile", async () => {
  const net = await simulate(networkOf(pair), { callsPerSecond: 20 });
  const topics = Array.from({ length: 20 }, (_, n) => `topic://t${n}`);
  const early = net.connect("b");
  for (const destination of [queue, ...topics]) await early.consume(destination);
  await net.run(5 * minute);
  for (let n = 0; n < 50; n += 1) {
    const client = net.connect(n % 2 === 0 ? "a" : "b");
    client.pause(); // whether a thousand consumers read is no question here
    for (const destination of topics) await client.consume(destination);
    for (const destination of topics) net.publish("b", destination, ["meanwhile"]);
    net.send("a", queue, ["meanwhile"]);
    await net.run(1_200);
  }
  expect(net.refusedCalls()).toBeGreaterThan(100);
  await net.run(15 * minute);
  expect(early.received).toHaveLength(50 * (topics.length + 1));
  const subscriptions = (at: string) =>
    topics.map((text) => net.cloud.topics.subscriptions(net.broker(at).where.topicOf(destinationOf(text)).arn).length);
  // 25 clients and the link to the peer; at b the early one too.
  expect([subscriptions("a"), subscriptions("b")]).toEqual([topics.map(() => 26), topics.map(() => 27)]);
  expect(net.problems()).toEqual([]);
}, 120_000);

describe("N35: half of a link was left behind when its broker was deleted", () => {
  test("an inbound that stands yet is adopted: what is in it arrives, and the link carries again", async () => {
    const net = await simulate(networkOf("a -> b"));
    await net.connect("b").consume(queue);
    await net.run();
    const inbound = net.broker("b").where.inbound(linkId(brokerId("a"), "to-b"))?.arn ?? "";
    net.cut("a", "b"); // a doesn't hear of the end
    expect(await net.destroy("b")).toEqual([]);
    net.cloud.queues.create(inbound); // the delete failed
    net.heal("a", "b");
    net.send("a", queue, bodies("into what was left", 3));
    while (await net.broker("a").step());
    expect(net.cloud.queues.depth(inbound)?.visible).toBe(3);
    await net.deploy("b");
    const there = net.connect("b");
    await there.consume(queue);
    await net.run(10 * minute);
    net.send("a", queue, bodies("anew", 3));
    await net.run();
    expect(there.bodies().toSorted()).toEqual([...bodies("anew", 3), ...bodies("into what was left", 3)]);
    expect([(await linkState(net, "a", "b"))?.state, net.problems()]).toEqual(["started", []]);
  });

  test("so is what control had made: the topic and its old subscriptions, the queue with its messages", async () => {
    const net = await simulate(networkOf(pair));
    const there = net.connect("b");
    for (const destination of [queue, topic]) await there.consume(destination);
    await net.run();
    const { where } = net.broker("a");
    const [topicArn, queueArn] = [
      where.topicOf({ kind: "topic", name: "TEST.FOO" }).arn,
      where.queueOf({ to: "queue", destination: { kind: "queue", name: "TEST.FOO" } }).arn,
    ];
    expect(await net.destroy("a")).toEqual([]);
    net.cloud.topics.create(topicArn);
    net.cloud.topics.subscribe(topicArn, net.broker("b").where.inbound(linkId(brokerId("a"), "to-b"))?.arn ?? "");
    net.cloud.queues.create(queueArn);
    net.cloud.queues.send(queueArn, { body: "left", attributes: {} });
    await net.deploy("a");
    await net.run(10 * minute);
    net.send("a", queue, ["anew"]);
    net.publish("a", topic, ["published"]);
    await net.run();
    expect(there.bodies().toSorted()).toEqual(["anew", "left", "published"]);
    expect([await linkState(net, "a", "b"), net.problems()]).toMatchObject([{ state: "started" }, []]);
  });
});

test("N39: over a two-way link without limits, one consumer opened and closed leaves no demand, no traffic and no unrest", async () => {
  const net = await simulate(networkOf(pair, { networkTTL: -1 }));
  const client = net.connect("a");
  for (const destination of [queue, topic]) await client.consume(destination);
  await net.run();
  await client.close();
  await net.run();
  const roots = () => Promise.all(["a", "b"].map((at) => net.broker(at).brain.read("root", "", "root")));
  const quiet = await roots();
  for (const at of ["a", "b"]) net.send(at, queue, bodies(at, 3));
  await net.run(30 * minute);
  for (const at of ["a", "b"]) {
    expect([await net.linkCandidates(at, queue), await net.linkCandidates(at, topic)]).toEqual([[], []]);
  }
  expect([net.crossings("a", "b"), net.crossings("b", "a"), await roots()]).toEqual([0, 0, quiet]);
});

test("N40: swapping two connectors changes neither the digest nor a link", () => {
  const input = networkOf("a -> b, a -> c, b -> c", { dynamicallyIncludedDestinations: [queue, topic] });
  const swapped: NetworkInput = {
    ...input,
    brokers: Object.fromEntries(
      Object.entries(input.brokers)
        .toReversed()
        .map(([id, broker]) => [id, { ...broker, networkConnectors: broker.networkConnectors?.toReversed() }]),
    ),
  };
  const sliceOf = (network: NetworkInput) => {
    const parsed = parseNetwork(network, { distance, account: "000000000000" });
    if (!parsed.ok) throw new Error("the network of this test has faults");
    return sliceFor(parsed.network, brokerId("a"));
  };
  const [before, after] = [sliceOf(input), sliceOf(swapped)];
  expect(after.connectors.map(({ link }) => link)).not.toEqual(before.connectors.map(({ link }) => link));
  expect(after.connectors.map(({ link }) => link).toSorted()).toEqual(before.connectors.map(({ link }) => link).toSorted());
  expect(sharedPart(after)).toBe(sharedPart(before));
});

describe("C30: a message with a minute to live, from a producer whose clock is five minutes", () => {
  /** Sends it over two links; its consumer comes so much later. */
  const lives = async (clock: number, comesAfter: number) => {
    const net = await simulate(networkOf(chain(3), { networkTTL: 2 }, { brokers: { a: { queues: ["TEST.FOO"] } } }));
    const reader = net.connect("c");
    if (comesAfter === 0) await reader.consume(queue);
    await net.run();
    const { where } = net.broker("a");
    const timestamp = net.now() + clock;
    const message = {
      destination: destinationOf(queue),
      body: { type: "text", text: "m" },
      timestamp,
      expiration: timestamp + minute,
    } as const;
    net.cloud.queues.send(where.own.queueArn(where.own.ingressQueue), encodeProducer(message));
    await net.run(comesAfter);
    if (comesAfter > 0) await reader.consume(queue);
    await net.run();
    return { got: reader.bodies(), expired: net.standing("a", "queue://ActiveMQ.DLQ").map(({ body }) => body) };
  };

  test.for([
    { rule: "ahead arrives at once", clock: 5 * minute, comesAfter: 0, got: ["m"], expired: [] },
    { rule: "behind arrives at once", clock: -5 * minute, comesAfter: 0, got: ["m"], expired: [] },
    { rule: "ahead has expired after two minutes", clock: 5 * minute, comesAfter: 2 * minute, got: [], expired: ["m"] },
    { rule: "behind is there after 20 seconds", clock: -5 * minute, comesAfter: 20_000, got: ["m"], expired: [] },
  ])("$rule", async ({ clock, comesAfter, got, expired }) => {
    expect(await lives(clock, comesAfter)).toEqual({ got, expired });
  });
});

test("N32: duplex written on both brokers: a message has two ways and is delivered once", async () => {
  const duplex = (to: string) => [{ name: `to-${to}`, to, duplex: true }];
  const [a, b] = [
    { region: "eu-west-1", topics: ["TEST.FOO"], networkConnectors: duplex("b") },
    { region: "eu-west-1", networkConnectors: duplex("a") },
  ];
  const net = await simulate({ network: "test", brokers: { a, b } });
  const there = net.connect("b");
  for (const destination of [queue, topic]) await there.consume(destination);
  await net.run();
  expect((await net.broker("a").brain.list("link", "")).map(({ id }) => id).toSorted()).toEqual(["a:to-a", "a:to-b"]);
  net.send("a", queue, bodies("q", 10));
  net.publish("a", topic, bodies("t", 10));
  await net.run(10 * minute);
  expect(there.bodies().toSorted()).toEqual([...bodies("q", 10), ...bodies("t", 10)]);
});

test("C17: the same message at two brokers at once: neither's claim stands in the other's way, and where both ways meet it comes once", async () => {
  const net = await simulate(networkOf("a -> b, a -> c, b -> d, c -> d", { networkTTL: 2 }, { brokers: { a: { topics: ["TEST.FOO"] } } }));
  const clients = ["b", "c", "d"].map((at) => net.connect(at));
  for (const client of clients) await client.consume(topic);
  await net.run();
  net.publish("a", topic, bodies("m", 10));
  await net.run();
  expect(clients.map((client) => client.bodies().toSorted())).toEqual([bodies("m", 10), bodies("m", 10), bodies("m", 10)]);
});

test("C26: a message that its queue refuses is tried again after 2, 4, 8 and 16 seconds, and never given up", async () => {
  const net = await simulate(networkOf("a -> b"));
  const reader = net.connect("a");
  await reader.consume(queue);
  await net.run();
  const { targets } = net.broker("a").ports;
  const { handOver } = targets;
  const tries: number[] = [];
  const refusing: typeof handOver = async (handOvers) => {
    if (tries.length === 5) return handOver(handOvers);
    tries.push(net.now());
    return handOvers.map(() => ({ answer: "refused", cause: "denied", why: "denied" }));
  };
  Object.assign(targets, { handOver: refusing });
  net.send("a", queue, ["m"]);
  await net.run();
  expect(tries.slice(1).map((at, index) => at - (tries[index] ?? 0))).toEqual([2_000, 4_000, 8_000, 16_000]);
  expect([reader.bodies(), net.deadLetters("a")]).toEqual([["m"], []]);
});
