import { describe, expect, test } from "vitest";
import { bodies, simulate } from "../../support/simulator/network.ts";
import { type Connector, chain, networkOf } from "../../support/simulator/topologies.ts";

const queue = "queue://TEST.FOO";

describe("who gets a queue message", () => {
  interface Ranking {
    readonly rule: string;
    readonly connector?: Connector;
    /** Of every broker, for all queues. */
    readonly policy?: object;
    /** Priorities of a consumer at a, at b, at c. */
    readonly priorities: readonly number[];
    readonly got: readonly number[];
  }
  const decreasing = { networkTTL: 2, decreaseNetworkConsumerPriority: true };

  test.for<Ranking>([
    { rule: "QUE-7: a remote consumer of a higher priority gets all", priorities: [0, 5], got: [0, 12] },
    { rule: "QUE-7: one of a lower priority gets none", priorities: [0, -1], got: [12, 0] },
    { rule: "QUE-3: equals share", priorities: [0, 0], got: [6, 6] },
    {
      rule: "QUE-6: decreasing priorities prefer the local consumer, whatever the remote one's",
      connector: decreasing,
      priorities: [0, 9],
      got: [12, 0],
    },
    { rule: "QUE-6: and the nearer of two remote ones", connector: decreasing, priorities: [-20, 0, 9], got: [0, 12, 0] },
    { rule: "QUE-7: without decrease distance doesn't matter", connector: { networkTTL: 2 }, priorities: [-1, 0, 9], got: [0, 0, 12] },
    { rule: "useConsumerPriority false: all are equal", policy: { useConsumerPriority: false }, priorities: [0, 5], got: [6, 6] },
    {
      rule: "QUE-3: strictOrderDispatch: equals don't take turns",
      policy: { strictOrderDispatch: true },
      priorities: [0, 0],
      got: [12, 0],
    },
    { rule: "QUE-3: nor does it reverse priorities", policy: { strictOrderDispatch: true }, priorities: [0, 5], got: [0, 12] },
  ])("$rule", async ({ connector, policy, priorities, got }) => {
    const destinationPolicies = policy ? [{ destination: "queue://>", ...policy }] : [];
    const brokers = Object.fromEntries(["a", "b", "c"].map((id) => [id, { destinationPolicies }]));
    const net = await simulate(networkOf(chain(3), connector, { brokers }));
    const clients = priorities.map((_, index) => net.connect("abc"[index] ?? ""));
    for (const [index, client] of clients.entries()) await client.consume(queue, { priority: priorities[index] ?? 0 });
    await net.run();
    net.send("a", queue, bodies("m", 12));
    await net.run();
    expect(clients.map(({ received }) => received.length)).toEqual(got);
  });

  test("QUE-3: with strictOrderDispatch the first consumer's overflow goes to its equal", async () => {
    const destinationPolicies = [{ destination: "queue://>", strictOrderDispatch: true }];
    const net = await simulate(networkOf("a -> b", {}, { brokers: { a: { destinationPolicies } } }));
    const [first, second, there] = [net.connect("a"), net.connect("a"), net.connect("b")];
    first.pause();
    const consumer = await first.consume(queue, { prefetchSize: 3 });
    await second.consume(queue, { prefetchSize: 100 });
    await there.consume(queue);
    await net.run();
    net.send("a", queue, bodies("m", 10));
    await net.run();
    const waiting = net.privateDepth("a", first.connection, consumer);
    expect([waiting, second.received.length, there.received.length]).toEqual([3, 7, 0]);
  });

  test("when the preferred consumer leaves, the next one has its turn", async () => {
    const net = await simulate(networkOf("a -> b"));
    const [here, there] = [net.connect("a"), net.connect("b")];
    await here.consume(queue);
    await there.consume(queue, { priority: 5 });
    await net.run();
    await there.close();
    await net.run();
    net.send("a", queue, bodies("m", 4));
    await net.run();
    expect([here.received.length, there.received.length]).toEqual([4, 0]);
  });

  test("QUE-4: with the local consumer full, the rest goes to the lower priority of a link", async () => {
    const net = await simulate(networkOf("a -> b", decreasing));
    const [here, there] = [net.connect("a"), net.connect("b")];
    here.pause();
    await here.consume(queue, { prefetchSize: 5 });
    await there.consume(queue);
    await net.run();
    for (const batch of ["m", "n", "o"]) {
      net.send("a", queue, bodies(batch, 10));
      await net.run(30_000);
    }
    expect(there.received.length).toBe(25);
  });

  test("a declared consumer counts by its number and priority, and is served on the queue itself", async () => {
    const declared = { consumers: [{ destination: "queue://TEST.FOO", count: 3 }] };
    const net = await simulate(networkOf("a <-> b", { conduitSubscriptions: false }, { brokers: { b: declared } }));
    const here = net.connect("a");
    await here.consume(queue);
    await net.run();
    net.send("a", queue, bodies("m", 12));
    await net.run();
    expect([here.received.length, net.depth("b", queue)]).toEqual([3, 9]);
  });
});
