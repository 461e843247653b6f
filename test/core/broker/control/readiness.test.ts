import { describe, expect, test } from "vitest";
import { waitingFor } from "../../../../core/broker/control/readiness.ts";
import { sha256 } from "../../../support/hash.ts";
import type { SimulatedClient } from "../../../support/simulator/client.ts";
import { type SimulatedNetwork, simulate } from "../../../support/simulator/network.ts";
import { networkOf, type Particulars, pair } from "../../../support/simulator/topologies.ts";

const waits = async (net: SimulatedNetwork, at: string, { connection }: SimulatedClient, counter = 1) =>
  (await waitingFor(net.broker(at).brain, sha256, connection, counter, net.now())).map((wait) => wait.for);
/** A consumer at b, and what it waits for some seconds later. */
const consuming = async (destination: string, seconds: number, particulars: Particulars = {}, cut?: string) => {
  const net = await simulate(networkOf(pair, {}, particulars));
  if (cut) net.cut(cut);
  const client = net.connect("b");
  await client.consume(destination);
  await net.run(seconds * 1_000);
  return waits(net, "b", client);
};

describe("a consumer waits", () => {
  test("for control to take up its connection", async () => {
    const net = await simulate(networkOf(pair));
    const client = net.connect("b");
    await client.consume("queue://x");
    expect(await waits(net, "b", client)).toEqual(["control to take up this connection"]);
  });

  test("for control to take up what it added", async () => {
    const net = await simulate(networkOf(pair));
    const client = net.connect("b");
    await client.consume("queue://x");
    await net.run();
    expect(await waits(net, "b", client, 99)).toEqual(["control to take up this connection"]);
  });

  test("for the deployment", async () => {
    const net = await simulate(networkOf(pair), { absent: ["b"] });
    expect(await waits(net, "b", net.connect("b"))).toEqual(["the broker's configuration: is its stack deployed?"]);
  });

  test.for(["queue://x", "topic://x", "queue://x.>", "topic://x.>"])("for nothing when all is in effect: %s", async (destination) => {
    expect(await consuming(destination, 60)).toEqual([]);
  });

  test("for its subscription's grace at both brokers", async () => {
    expect(await consuming("topic://x", 5)).toEqual([
      "its own broker's routing to take effect",
      "broker a to put the demand into effect (link a:to-b)",
    ]);
    expect(await consuming("topic://x", 20)).toEqual([]);
  });

  test("for a peer that doesn't answer, by its name", async () => {
    expect(await consuming("queue://x", 60, {}, "a")).toEqual(["broker a to put the demand into effect (link a:to-b)"]);
  });

  test("for no peer whose connector doesn't permit the destination", async () => {
    expect(await consuming("queue://x", 60, { connectors: { "a b": { excludedDestinations: ["queue://x"] } } }, "a")).toEqual([]);
  });

  test("for no peer with advisorySupport off: nobody is told", async () => {
    expect(await consuming("queue://x", 60, { brokers: { b: { advisorySupport: false } } }, "a")).toEqual([]);
  });

  test("for a destination that nobody may make, with what to do", async () => {
    const [first] = await consuming("queue://x", 60, { brokers: { b: { autoCreateDestinations: [] } } });
    expect(first).toContain("declare it");
  });

  test("for a FIFO destination that isn't declared, and isn't sent to lists that make none", async () => {
    const [first] = await consuming("queue://x.fifo", 60);
    expect(first).toBe(`the destination: a FIFO destination isn't made on first use, declare it in "queues" or "topics"`);
  });

  test("for a peer again when it adds a consumer", async () => {
    const net = await simulate(networkOf(pair, { conduitSubscriptions: false }));
    const client = net.connect("b");
    await client.consume("queue://x");
    await net.run();
    net.cut("a");
    await client.consume("queue://x");
    await net.run(10_000);
    expect(await waits(net, "b", client, 2)).toContain("broker a to put the demand into effect (link a:to-b)");
  });
});
