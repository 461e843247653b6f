import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { waitingFor } from "../../../core/broker/control/readiness.ts";
import { linkId } from "../../../core/ids.ts";
import { sha256 } from "../../support/hash.ts";
import type { SimulatedClient } from "../../support/simulator/client.ts";
import { bodies, type SimulatedNetwork, simulate } from "../../support/simulator/network.ts";
import { type Connector, networkOf } from "../../support/simulator/topologies.ts";

const orders = "queue://orders";
const news = "topic://news";
const minute = 60_000;
const declared = { a: { queues: ["orders"], topics: ["news"] }, b: { queues: ["orders"] } };

/** Brokers a and b, with a connector from a to b or without. */
const having = (connector: Connector = {}) => networkOf("a -> b", connector, { brokers: declared });
const removed = having({ removed: true });
const without = networkOf("a -> b", {}, { brokers: { a: { ...declared.a, networkConnectors: [] }, b: declared.b } });
type Configuration = typeof without;

const deployBoth = async (net: SimulatedNetwork, input: Configuration): Promise<readonly (string | undefined)[]> => [
  await net.redeploy("a", input),
  await net.redeploy("b", input),
];
const passes = [undefined, undefined];
const linkEnds = (net: SimulatedNetwork): readonly string[] => net.cloud.queues.arns().filter((arn) => /-in-|-undelivered-/.test(arn));
const removalAtA = async (net: SimulatedNetwork) => {
  const { brain, slice } = net.broker("a");
  return (await brain.read("link", "", linkId(slice.broker, "to-b")))?.value.removal;
};
const saidToB = async (net: SimulatedNetwork) => (await net.broker("b").brain.list("hello", ""))[0]?.value.hello.stopped;

/** b consumes a queue and a topic of a. */
const consumedAtB = async (connector: Connector = {}) => {
  const net = await simulate(having(connector));
  const client = net.connect("b");
  await client.consume(orders);
  await client.consume(news);
  await net.run();
  return { net, client };
};

describe("a connector with removed: true", () => {
  test("forwards nothing any more, static includes neither, and what rests goes when it is kept after all", async () => {
    const { net, client } = await consumedAtB({ staticallyIncludedDestinations: [orders] });
    net.send("a", orders, bodies("before", 3));
    await net.run();
    expect(await deployBoth(net, having({ staticallyIncludedDestinations: [orders], removed: true }))).toEqual(passes);
    await net.run(1);
    net.send("a", orders, bodies("after", 3));
    await net.run();
    expect([client.bodies("c1").toSorted(), net.depth("a", orders)]).toEqual([bodies("before", 3), 3]);
    expect(await deployBoth(net, having({ staticallyIncludedDestinations: [orders] }))).toEqual(passes);
    await net.run();
    expect(client.bodies("c1").toSorted()).toEqual([...bodies("after", 3), ...bodies("before", 3)]);
    expect([await removalAtA(net), await saidToB(net), net.problems()]).toEqual([undefined, undefined, []]);
  });

  test("has its topics unsubscribed a minute later, as after a stop", async () => {
    const { net } = await consumedAtB();
    const subscribed = () => net.cloud.topics.subscriptions(net.broker("a").where.topicOf({ kind: "topic", name: "news" }).arn).length;
    await deployBoth(net, removed);
    await net.run(30_000);
    expect(subscribed()).toBe(1);
    await net.run(2 * minute);
    expect(subscribed()).toBe(0);
  });

  test("isn't started by a command, which says what to do", async () => {
    const { net } = await consumedAtB();
    await deployBoth(net, removed);
    await net.command("a", "to-b", "start");
    await net.run();
    expect(await net.linkCandidates("a", orders)).toEqual([]);
  });

  test("says stopped to its receiver when nothing can be under way; only then either end goes, in whatever order", async () => {
    const { net } = await consumedAtB();
    await deployBoth(net, removed);
    expect(await net.redeploy("a", without)).toMatch(/^this deployment of broker a .* link a:to-b is draining: .*"removed": true/);
    expect(await net.redeploy("b", without)).toMatch(/^this deployment of broker b .* link a:to-b hasn't stopped at a/);
    await net.run(4 * minute);
    expect([(await removalAtA(net))?.state, await saidToB(net)]).toEqual(["draining", undefined]);
    await net.run(6 * minute);
    expect([(await removalAtA(net))?.state, await saidToB(net)]).toEqual(["stopped", true]);
    expect(await net.redeploy("b", without)).toBeUndefined();
    expect(await net.redeploy("a", without)).toBeUndefined();
    await net.run();
    expect([linkEnds(net), net.problems()]).toEqual([[], []]);
  });

  test("keeps no consumer at its receiver from being ready, though its owner has no such connector any more", async () => {
    const { net } = await consumedAtB();
    await deployBoth(net, removed);
    await net.run(12 * minute);
    expect(await net.redeploy("a", without)).toBeUndefined();
    const client = net.connect("b");
    await client.consume("queue://another");
    await net.run();
    expect(await waitingFor(net.broker("b").brain, sha256, client.connection, 1, net.now())).toEqual([]);
  });

  test("that was never removed: true before is refused at both ends while it runs", async () => {
    const { net, client } = await consumedAtB();
    expect(await net.redeploy("a", without)).toContain("link a:to-b runs. Remove a connector or a declared destination in two deployments");
    expect(await net.redeploy("b", without)).toContain("link a:to-b hasn't stopped at a, which sends");
    net.send("a", orders, ["still crosses"]);
    await net.run();
    expect([client.bodies("c1"), linkEnds(net).length]).toEqual([["still crosses"], 2]);
  });

  test.for([
    { rule: "hangs", silence: "hangs" },
    { rule: "takes without a word", silence: "accepts and says nothing" },
  ] as const)(
    "whose peer $rule keeps what is parked for it, and brings it before it stops: nothing lost, nothing doubled",
    async ({ silence }) => {
      const { net, client } = await consumedAtB();
      net.hush("a", "b", silence);
      net.send("a", orders, bodies("parked", 4));
      await net.run(1);
      await deployBoth(net, removed);
      net.send("a", orders, bodies("rests", 2));
      await net.run(20 * minute);
      expect(await removalAtA(net)).toMatchObject({ state: "draining", left: { undelivered: 4, subscriptions: 0 } });
      expect(await net.redeploy("a", without)).toMatch(
        /is draining: 4 messages undelivered, 0 topics subscribed; .*-undelivered-to_-b \(4\)/,
      );
      net.hush("a", "b");
      await net.run(20 * minute);
      expect([client.bodies("c1").toSorted(), net.depth("a", orders)]).toEqual([bodies("parked", 4), 2]);
      expect(await deployBoth(net, without)).toEqual(passes);
    },
  );

  test("that has an ordered way keeps what is parked there, too, and brings it before it stops", async () => {
    const ordered = (connector: Connector = {}) =>
      networkOf("a -> b", connector, { brokers: { a: { topics: ["t.fifo"] }, b: { topics: ["t.fifo"] } } });
    const net = await simulate(ordered());
    const client = net.connect("b");
    await client.consume("topic://t.fifo");
    await net.run();
    net.hush("a", "b", "hangs");
    net.publishInOrder("a", "topic://t.fifo", bodies("g", 3));
    await net.run(1);
    for (const at of ["a", "b"]) await net.redeploy(at, ordered({ removed: true }));
    await net.run(20 * minute);
    expect(await removalAtA(net)).toMatchObject({ state: "draining", left: { undelivered: 3 } });
    net.hush("a", "b");
    await net.run(20 * minute);
    expect([client.bodies(), (await removalAtA(net))?.state]).toEqual([bodies("g", 3), "stopped"]);
  });

  test("with its breaker open since the peer is cut off waits for it, and what rests is left here", async () => {
    const { net, client } = await consumedAtB();
    net.cut("b");
    net.send("a", orders, bodies("rests", 5));
    await net.run();
    await net.redeploy("a", removed);
    await net.run(20 * minute);
    expect([net.depth("a", orders), await net.redeploy("a", without)]).toEqual([
      5,
      expect.stringContaining("its receiver hasn't answered yet"),
    ]);
    net.heal("b");
    await net.run();
    expect([await saidToB(net), await deployBoth(net, without), client.bodies("c1")]).toEqual([true, passes, []]);
  });

  test("to a broker that was destroyed has stopped, at either end", async () => {
    const net = await simulate(networkOf("a <-> b", {}, { brokers: declared }));
    expect(await net.destroy("b")).toEqual([]);
    await net.run();
    expect(
      await net.redeploy("a", networkOf("a -> b", {}, { brokers: { ...declared, a: { ...declared.a, networkConnectors: [] } } })),
    ).toBe(undefined);
  });
});

describe("a drain pass died before it handed over what it had claimed for a link", () => {
  const star = (connector: Connector, ways = "a -> b, a -> c") =>
    networkOf(ways, {}, { brokers: { a: { queues: ["orders"] } }, connectors: { "a b": connector } });
  const died = async () => {
    const net = await simulate(star({}));
    const there = net.connect("b");
    await there.consume(orders);
    await net.run();
    const { targets } = net.broker("a").ports;
    const { handOver } = targets;
    Object.assign(targets, { handOver: () => Promise.reject(new Error("died")) });
    net.sendDirect("a", orders, bodies("claimed", 3));
    await net.run().catch(() => {});
    Object.assign(targets, { handOver });
    for (const at of ["a", "b"]) await net.redeploy(at, star({ removed: true }));
    await net.run(15 * minute);
    expect((await removalAtA(net))?.state).toBe("stopped");
    return { net, there };
  };

  test("and the link is stopped: they wait for it alone, so that it isn't stopped any more, and arrive", async () => {
    const { net, there } = await died();
    await net.connect("c").consume(orders);
    await net.run(10_000);
    expect([net.crossings("a", "b"), net.depth("a", orders)]).toEqual([0, 0]);
    await net.run(minute);
    expect(await removalAtA(net)).toMatchObject({ state: "draining", left: { undelivered: 3 } });
    await net.run(5 * minute);
    expect(there.bodies().toSorted()).toEqual(bodies("claimed", 3));
  });

  test("and the link is gone: whoever wants them now gets them", async () => {
    const { net } = await died();
    for (const at of ["a", "b"]) expect(await net.redeploy(at, star({}, "a -> c, c -> b"))).toBeUndefined();
    const other = net.connect("c");
    await other.consume(orders);
    await net.run(10 * minute);
    expect([other.bodies().toSorted(), net.depth("a", orders)]).toEqual([bodies("claimed", 3), 0]);
  });
});

describe("whatever happened before", () => {
  const step = fc.oneof(
    fc.record({ does: fc.constant("send" as const), count: fc.integer({ min: 1, max: 4 }) }),
    fc.record({ does: fc.constant("send direct" as const), count: fc.integer({ min: 1, max: 4 }) }),
    fc.record({ does: fc.constant("wait" as const), ms: fc.integer({ min: 1, max: 15 * minute }) }),
    fc.record({
      does: fc.constant("hush" as const),
      silence: fc.constantFrom(undefined, "hangs" as const, "accepts and says nothing" as const),
    }),
    fc.record({ does: fc.constant("consume" as const), at: fc.constantFrom("a", "b") }),
    fc.record({
      does: fc.constant("deploy" as const),
      at: fc.constantFrom("a", "b", "ab"),
      input: fc.constantFrom("having", "removed", "without"),
    }),
  );
  const inputs: Readonly<Record<string, Configuration>> = { having: having(), removed, without };

  test("no message is lost or doubled by deployments that remove a connector, refused or not, and none enters a link that has stopped", async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 12 }), async (steps) => {
        const net = await simulate(having());
        const clients: SimulatedClient[] = [];
        const consume = async (at: string) => {
          const client = net.connect(at);
          clients.push(client);
          await client.consume(orders);
        };
        const sent: string[] = [];
        let crossedAtStop: number | undefined;
        for (const [index, one] of steps.entries()) {
          const some = "count" in one ? bodies(`m${index}`, one.count) : [];
          sent.push(...some);
          if (one.does === "send") net.send("a", orders, some);
          else if (one.does === "send direct") net.sendDirect("a", orders, some);
          else if (one.does === "wait") await net.run(one.ms);
          else if (one.does === "hush") net.hush("a", "b", one.silence);
          else if (one.does === "consume") await consume(one.at);
          else for (const at of one.at) await net.redeploy(at, inputs[one.input] ?? without);
          const isStopped = (await saidToB(net)) === true && (await removalAtA(net))?.state === "stopped";
          if (isStopped && crossedAtStop !== undefined) expect(net.crossings("a", "b")).toBe(crossedAtStop);
          crossedAtStop = isStopped ? net.crossings("a", "b") : undefined;
        }
        net.hush("a", "b");
        expect(await deployBoth(net, having())).toEqual(passes);
        for (const at of ["a", "b"]) await consume(at);
        await net.run(30 * minute);
        expect(clients.flatMap((client) => client.bodies()).toSorted()).toEqual(sent.toSorted());
        expect(net.problems()).toEqual([]);
      }),
      { numRuns: 40 },
    );
  });
});
