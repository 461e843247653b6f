import { describe, expect, test } from "vitest";
import type { SimulatedClient } from "../../support/simulator/client.ts";
import { bodies, simulate } from "../../support/simulator/network.ts";
import { type Connector, chain, mesh, networkOf, type Particulars, pair, ring, star } from "../../support/simulator/topologies.ts";
import { type Played, play, subscriptionsOn } from "./scenario.ts";

const queue = "queue://TEST.FOO";

describe("a queue message crosses to", () => {
  test.for<Played>([
    { rule: "A1: nobody two hops away under a TTL of 1", ways: "a -> b, b -> c", consumers: { c: 1 }, sends: { a: 100 }, got: { c: 0 } },
    {
      rule: "A2: consumers on both sides of a producer, in equal shares",
      ways: "b -> a, b -> c",
      consumers: { a: 1, c: 1 },
      sends: { b: 100 },
      got: { a: 50, c: 50 },
    },
    {
      rule: "A5: a consumer between two producers",
      ways: "a -> b, c -> b",
      consumers: { b: 1 },
      sends: { a: 100, c: 100 },
      got: { b: 200 },
    },
    {
      rule: "A6: everybody alike in a mesh",
      ways: mesh(3),
      consumers: { a: 1, b: 1, c: 1 },
      sends: { a: 99, b: 99, c: 99 },
      got: { a: 99, b: 99, c: 99 },
    },
    {
      rule: "A8: its only consumer at home, whatever the ways away",
      ways: mesh(3),
      connector: { networkTTL: 3 },
      consumers: { a: 1 },
      sends: { a: 200 },
      got: { a: 200 },
    },
    {
      rule: "A9: its only consumer abroad, whatever the ways round",
      ways: mesh(3),
      connector: { networkTTL: 3 },
      consumers: { a: 1 },
      sends: { b: 200 },
      got: { a: 200 },
    },
    {
      rule: "A18: both of two consumers, however uneven the producers",
      ways: pair,
      consumers: { a: 1, b: 1 },
      sends: { a: 500, b: 100 },
      got: { a: 300, b: 300 },
    },
    {
      rule: "A16: nobody remote where only the local consumer is",
      ways: pair,
      connector: { networkTTL: 2 },
      consumers: { a: 1 },
      sends: { a: 200 },
      got: { a: 200 },
    },
    {
      rule: "A35: a static include without any advisory",
      ways: "a -> b",
      connector: { staticallyIncludedDestinations: [queue] },
      particulars: { brokers: { b: { advisorySupport: false } } },
      consumers: { b: 1 },
      sends: { a: 1 },
      got: { b: 1 },
    },
    {
      rule: "A35: nobody without advisory and static include",
      ways: "a -> b",
      particulars: { brokers: { b: { advisorySupport: false } } },
      consumers: { b: 1 },
      sends: { a: 1 },
      got: { b: 0 },
    },
    {
      rule: "A19: consumers elsewhere, though its own broker tells nothing itself",
      ways: "a -> b",
      particulars: { brokers: { a: { advisorySupport: false } } },
      consumers: { b: 1 },
      sends: { a: 50 },
      got: { b: 50 },
    },
  ])("$rule", async ({ got, ...scenario }) => {
    expect(await play({ ...scenario, destination: queue })).toEqual(got);
  });
});

describe("subscriptions on a queue", () => {
  const suppressed = { suppressDuplicateQueueSubscriptions: true };
  interface Counting {
    readonly rule: string;
    readonly ways: string;
    readonly connector: Connector;
    readonly particulars?: Particulars;
    readonly consumers: Readonly<Record<string, number>>;
    readonly counts: readonly number[];
    /** What is left when all consumers are gone; none but static ones are. */
    readonly left?: readonly number[];
  }
  test.for<Counting>([
    {
      rule: "A11: one on each broker where duplicates are suppressed",
      ways: mesh(3),
      connector: { networkTTL: 3, ...suppressed },
      consumers: { a: 1 },
      counts: [1, 1, 1],
    },
    {
      rule: "A13: one per simple way in a mesh without suppression",
      ways: mesh(4),
      connector: { networkTTL: 3 },
      consumers: { a: 1 },
      counts: [1, 5, 5, 5],
    },
    {
      rule: "A22: a static include is one per spoke at the hub and one at each spoke",
      ways: star(5),
      connector: { conduitSubscriptions: false, staticallyIncludedDestinations: [queue] },
      consumers: {},
      counts: [4, 1, 1, 1, 1],
      left: [4, 1, 1, 1, 1],
    },
    {
      rule: "A23: one per broker and consumer in a line",
      ways: chain(3),
      connector: { networkTTL: 6, decreaseNetworkConsumerPriority: true, ...suppressed },
      consumers: { a: 1, b: 1, c: 1 },
      counts: [3, 3, 3],
    },
    {
      rule: "A23: a shortcut adds none",
      ways: ring(3),
      connector: { networkTTL: 6, decreaseNetworkConsumerPriority: true, ...suppressed },
      consumers: { a: 1, b: 1, c: 1 },
      counts: [3, 3, 3],
    },
    {
      rule: "A24: many consumers are one to each other broker",
      ways: chain(3),
      connector: { networkTTL: 6, decreaseNetworkConsumerPriority: true, ...suppressed },
      consumers: { a: 5, b: 5, c: 5 },
      counts: [7, 7, 7],
    },
    {
      rule: "A25: network queue conduit folds the far ones, too",
      ways: chain(3),
      connector: { networkTTL: 6, decreaseNetworkConsumerPriority: true, ...suppressed, conduitNetworkQueueSubscriptions: true },
      consumers: { a: 1, b: 1, c: 1 },
      counts: [2, 3, 2],
    },
  ])("$rule", async ({ ways, connector, consumers, counts, left }) => {
    const net = await simulate(networkOf(ways, connector));
    const clients: SimulatedClient[] = [];
    for (const [at, count] of Object.entries(consumers)) {
      for (let n = 0; n < count; n += 1) {
        const client = net.connect(at);
        await client.consume(queue);
        clients.push(client);
      }
    }
    await net.run();
    const brokers = "abcde".slice(0, counts.length).split("");
    const counted = () => Promise.all(brokers.map((at) => subscriptionsOn(net, at, queue)));
    expect(await counted()).toEqual(counts);
    for (const client of clients) await client.close();
    await net.run();
    expect(await counted()).toEqual(left ?? counts.map(() => 0));
    expect(net.problems()).toEqual([]);
  });

  test("A12: suppression keeps the nearest way even if another was heard of first", async () => {
    const connector = { networkTTL: 3, suppressDuplicateQueueSubscriptions: true, decreaseNetworkConsumerPriority: true };
    const net = await simulate(networkOf(mesh(3), connector));
    net.cut("a", "b");
    await net.connect("a").consume(queue);
    await net.run();
    const priorities = async (at: string) => (await net.linkCandidates(at, queue)).map(({ priority }) => priority);
    expect([await priorities("b"), await priorities("c")]).toEqual([[-8], [-5]]);
    net.heal("a", "b");
    await net.run();
    expect([await priorities("b"), await priorities("c")]).toEqual([[-5], [-5]]);
  });
});

describe("a message that waits", () => {
  test("A33: for a local consumer that went away, goes to the remote one that comes", async () => {
    const net = await simulate(networkOf("a -> b"));
    const local = net.connect("a");
    local.pause();
    await local.consume(queue);
    await net.run();
    net.send("a", queue, ["m"]);
    await net.run();
    await local.close();
    await net.run();
    expect([local.received.length, net.depth("a", queue), net.crossings("a", "b")]).toEqual([0, 1, 0]);
    const remote = net.connect("b");
    await remote.consume(queue);
    await net.run();
    expect([remote.bodies(), net.depth("a", queue), net.crossings("a", "b")]).toEqual([["m"], 0, 1]);
  });

  test("in a queue that its producer sent to directly, goes to the remote consumer that comes", async () => {
    const net = await simulate(networkOf("a -> b", {}, { brokers: { a: { queues: ["TEST.FOO"] } } }));
    net.sendDirect("a", queue, bodies("m", 3));
    const remote = net.connect("b");
    await remote.consume(queue);
    await net.run();
    net.sendDirect("a", queue, bodies("n", 3));
    await net.run();
    expect(remote.bodies().toSorted()).toEqual([...bodies("m", 3), ...bodies("n", 3)]);
  });

  test.for(["queue://TEST.FOO", "topic://TEST.FOO"])(
    "A34: %s: what is sent after the remote consumer came, crosses",
    async (destination) => {
      expect(await play({ ways: "a -> b", destination, consumers: { b: 1 }, sends: { a: 1 } })).toEqual({ b: 1 });
    },
  );

  test("TTL-6: a backlog migrates hop by hop under a messageTTL without limit and a consumerTTL of 1", async () => {
    const net = await simulate(networkOf(chain(3), { messageTTL: -1, consumerTTL: 1 }));
    net.send("a", queue, bodies("m", 5));
    const middle = net.connect("b");
    middle.pause();
    await middle.consume(queue);
    await net.run();
    await middle.close();
    const far = net.connect("c");
    await far.consume(queue);
    await net.run();
    expect(far.bodies().toSorted()).toEqual(bodies("m", 5));
  });
});

describe("a composite consumer", () => {
  const composite = "queue://test.a,test.b";
  const parts = ["queue://test.a", "queue://test.b"];

  test("C16: two of them are one subscription per queue at the peer, and one of them gets a message", async () => {
    const net = await simulate(networkOf(pair));
    const clients = [net.connect("b"), net.connect("b")];
    for (const client of clients) await client.consume(composite);
    await net.run();
    expect(await Promise.all(parts.map((part) => subscriptionsOn(net, "a", part)))).toEqual([1, 1]);
    for (const part of parts) net.send("a", part, [part]);
    await net.run();
    expect(clients.flatMap((client) => client.bodies()).toSorted()).toEqual(parts);
  });

  test("C17: beside a plain consumer of one part the peer still has one subscription per queue", async () => {
    const net = await simulate(networkOf(pair));
    const [both, plain] = [net.connect("b"), net.connect("b")];
    await both.consume(composite);
    await plain.consume("queue://test.b");
    await net.run();
    expect(await Promise.all(parts.map((part) => subscriptionsOn(net, "a", part)))).toEqual([1, 1]);
    expect(await Promise.all(parts.map((part) => subscriptionsOn(net, "b", part)))).toEqual([1, 2]);
    net.send("a", "queue://test.a", ["m"]);
    await net.run();
    expect([both.bodies(), plain.bodies()]).toEqual([["m"], []]);
  });

  test("a message to a composite is one to each part, each where its consumers are", async () => {
    const net = await simulate(networkOf(pair));
    const [here, there] = [net.connect("a"), net.connect("b")];
    await here.consume("queue://test.a");
    await there.consume("queue://test.b");
    await net.run();
    net.send("a", composite, ["m"]);
    await net.run();
    expect([here.bodies(), there.bodies()]).toEqual([["m"], ["m"]]);
  });
});
