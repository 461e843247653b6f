import { describe, expect, test } from "vitest";
import { waitingFor } from "../../../core/broker/control/readiness.ts";
import { sha256 } from "../../support/hash.ts";
import { bodies, type SimulatedNetwork, simulate } from "../../support/simulator/network.ts";
import { networkOf } from "../../support/simulator/topologies.ts";

const orders = "queue://orders";
const prices = "topic://prices";
const hour = 60 * 60_000;

const pairWhereA = (a: object) => networkOf("a <-> b", {}, { brokers: { a, b: { queues: ["orders"], topics: ["prices"] } } });
const declared = pairWhereA({ queues: ["orders"], topics: ["prices"] });
const removed = pairWhereA({ queues: [{ name: "orders", removed: true }], topics: [{ name: "prices", removed: true }] });
const gone = pairWhereA({});

const leftAtA = async (net: SimulatedNetwork, destination: string) =>
  (await net.broker("a").brain.read("destination", "", destination))?.value.removal;

describe("a declared queue with removed: true", () => {
  test("refuses nobody: what producers send is consumed here, or crosses to whoever wants it", async () => {
    const net = await simulate(declared);
    expect(await net.redeploy("a", removed)).toBeUndefined();
    await net.run();
    net.send("a", orders, bodies("routed", 2));
    net.sendDirect("a", orders, bodies("direct", 2));
    await net.run();
    const there = net.connect("b");
    await there.consume(orders);
    await net.run(20 * 60_000);
    expect(there.bodies().toSorted()).toEqual([...bodies("direct", 2), ...bodies("routed", 2)]);
    await there.close();
    const here = net.connect("a");
    await here.consume(orders);
    net.send("a", orders, ["late"]);
    await net.run();
    expect([here.bodies(), net.deadLetters("a"), net.problems()]).toEqual([["late"], [], []]);
  });

  test("draws nothing from its peers any more, though it is consumed here", async () => {
    const net = await simulate(declared);
    await net.connect("a").consume(orders);
    await net.run();
    expect(await net.linkCandidates("b", orders)).toHaveLength(1);
    await net.redeploy("a", removed);
    await net.run();
    net.send("b", orders, bodies("stays", 3));
    await net.run();
    expect([await net.linkCandidates("b", orders), net.depth("b", orders)]).toEqual([[], 3]);
    await net.redeploy("a", declared);
    await net.run();
    expect(net.depth("b", orders)).toBe(0);
  });

  test("has consumers ready by what is here: no peer serves them", async () => {
    const net = await simulate(declared);
    await net.redeploy("a", removed);
    await net.run();
    const client = net.connect("a");
    await client.consume(orders);
    await client.consume(prices);
    await net.run();
    expect(await waitingFor(net.broker("a").brain, sha256, client.connection, 1, net.now())).toEqual([]);
  });

  test("shows what is left, and goes when that is nothing", async () => {
    const net = await simulate(declared);
    net.send("a", orders, bodies("left", 3));
    await net.run();
    await net.redeploy("a", removed);
    await net.run(hour);
    expect(await leftAtA(net, orders)).toEqual({ left: 3 });
    expect(await net.redeploy("a", gone)).toMatch(/spanmq-test-a-q-orders \(3\)\. /);
    await net.connect("a").consume(orders);
    await net.run(hour);
    expect(await leftAtA(net, orders)).toEqual({ left: 0 });
    expect(await net.redeploy("a", gone)).toBeUndefined();
  });

  test("takes no message along when it goes: what comes while CloudFormation deletes it waits until it is made anew", async () => {
    const net = await simulate(declared);
    await net.redeploy("a", removed);
    await net.run();
    const sendAtLast = (ms: number) => {
      if (ms === 10_000) net.send("a", orders, ["while it is deleted"]);
      return net.run(ms);
    };
    expect(await net.redeploy("a", gone, sendAtLast)).toBeUndefined();
    net.send("a", orders, ["afterwards"]);
    const client = net.connect("a");
    await client.consume(orders);
    await net.run(hour);
    expect(client.bodies().toSorted()).toEqual(["afterwards", "while it is deleted"]);
    expect([net.deadLetters("a"), net.problems()]).toEqual([[], []]);
  });

  test("that has gone is no consumer's for ten minutes, and whoever asks is told why; a pattern doesn't wait for it", async () => {
    const net = await simulate(declared);
    const [client, pattern] = [net.connect("a"), net.connect("a")];
    await client.consume(orders);
    await pattern.consume("queue://>");
    await net.run();
    for (const configured of [removed, gone]) expect(await net.redeploy("a", configured)).toBeUndefined();
    await net.run(60_000);
    const waits = async ({ connection }: typeof client) => await waitingFor(net.broker("a").brain, sha256, connection, 1, net.now());
    const [first] = await waits(client);
    expect(first).toEqual({ destination: orders, for: expect.stringContaining("it has left the configuration; close its consumers") });
    expect(await waits(pattern)).toEqual([]);
    await net.run(10 * 60_000);
    expect(await waits(client)).toEqual([]);
  });

  test("stays after all when a plain producer sent to it while it went, and works on", async () => {
    const net = await simulate(declared);
    await net.redeploy("a", removed);
    await net.run();
    const sendLate = async (ms: number) => {
      if (ms > 100_000) net.sendDirect("a", orders, ["late"]);
      await net.run(ms);
    };
    expect(await net.redeploy("a", gone, sendLate)).toContain("spanmq-test-a-q-orders (1)");
    await net.run();
    const client = net.connect("a");
    await client.consume(orders);
    await net.run(hour);
    net.send("a", orders, ["later"]);
    await net.run();
    expect([client.bodies(), await leftAtA(net, orders), net.problems()]).toEqual([["late", "later"], { left: 0 }, []]);
    expect(await net.redeploy("a", gone)).toBeUndefined();
  });

  test("that is kept after all shows nothing of it", async () => {
    const net = await simulate(declared);
    await net.redeploy("a", removed);
    await net.run(hour);
    await net.redeploy("a", declared);
    await net.run();
    expect((await net.broker("a").brain.read("destination", "", orders))?.value).not.toHaveProperty("removal");
  });
});

describe("a declared topic with removed: true", () => {
  test("serves its subscribers here and abroad, draws nothing from peers, shows how many subscriptions it has, and may go any time", async () => {
    const net = await simulate(declared);
    const [here, there] = [net.connect("a"), net.connect("b")];
    for (const client of [here, there]) await client.consume(prices);
    await net.run();
    await net.redeploy("a", removed);
    await net.run();
    net.publish("a", prices, ["from a"]);
    net.publish("b", prices, ["from b"]);
    await net.run();
    expect([here.bodies(), there.bodies().toSorted()]).toEqual([["from a"], ["from a", "from b"]]);
    expect(await leftAtA(net, prices)).toEqual({ left: 2 });
    await there.close();
    await net.run();
    expect(await leftAtA(net, prices)).toEqual({ left: 1 });
    expect(await net.redeploy("a", gone)).toBeUndefined();
    net.send("a", prices, ["made anew for who still wants it"]);
    await net.run(20 * 60_000);
    expect([here.bodies().slice(1), net.problems()]).toEqual([["made anew for who still wants it"], []]);
  });
});
