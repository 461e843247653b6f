import { describe, expect, test } from "vitest";
import { bodies, simulate } from "../../support/simulator/network.ts";

const pair = (connector: object = {}) => ({
  network: "orders",
  brokers: {
    us: { region: "us-east-1", networkConnectors: [{ name: "us-eu", to: "eu", duplex: true, ...connector }] },
    eu: { region: "eu-west-1" },
  },
});

describe("a queue between two regions", () => {
  test("30 messages at equal priority split 15 and 15 under conduit", async () => {
    const net = await simulate(pair());
    const [here, there, also] = [net.connect("us"), net.connect("eu"), net.connect("eu")];
    for (const client of [here, there, also]) await client.consume("queue://orders.new");
    await net.run();
    net.send("us", "queue://orders.new", bodies("m", 30));
    await net.run();
    expect(net.problems()).toEqual([]);
    expect([here.received.length, there.received.length + also.received.length]).toEqual([15, 15]);
  });

  test("without conduit 10 stay here and 20 cross", async () => {
    const net = await simulate(pair({ conduitSubscriptions: false }));
    const [here, there, also] = [net.connect("us"), net.connect("eu"), net.connect("eu")];
    for (const client of [here, there, also]) await client.consume("queue://orders.new");
    await net.run();
    net.send("us", "queue://orders.new", bodies("m", 30));
    await net.run();
    expect([here.received.length, there.received.length + also.received.length]).toEqual([10, 20]);
  });

  test("with private queues every consumer gets exactly 10", async () => {
    const net = await simulate(pair({ conduitSubscriptions: false }));
    const clients = [net.connect("us"), net.connect("eu"), net.connect("eu")];
    for (const client of clients) await client.consume("queue://orders.new", { prefetchSize: 10 });
    await net.run();
    net.send("us", "queue://orders.new", bodies("m", 30));
    await net.run();
    expect(clients.map(({ received }) => received.length)).toEqual([10, 10, 10]);
  });

  test("nobody remote: nothing crosses; a remote consumer appears: what rests crosses", async () => {
    const net = await simulate(pair());
    net.send("us", "queue://orders.new", bodies("m", 7));
    await net.run();
    expect([net.depth("us", "queue://orders.new"), net.crossings("us", "eu")]).toEqual([7, 0]);
    const there = net.connect("eu");
    await there.consume("queue://orders.new");
    await net.run();
    expect(there.bodies().toSorted()).toEqual(bodies("m", 7));
    expect(net.depth("us", "queue://orders.new")).toBe(0);
  });
});

describe("a topic between two regions", () => {
  test("subscribers in both regions get each message once", async () => {
    const net = await simulate(pair());
    const [here, there] = [net.connect("us"), net.connect("eu")];
    for (const client of [here, there]) await client.consume("topic://prices");
    await net.run();
    net.publish("us", "topic://prices", bodies("p", 5));
    net.publish("eu", "topic://prices", bodies("q", 5));
    await net.run();
    expect(net.problems()).toEqual([]);
    expect(here.bodies().toSorted()).toEqual([...bodies("p", 5), ...bodies("q", 5)]);
    expect(there.bodies().toSorted()).toEqual([...bodies("p", 5), ...bodies("q", 5)]);
  });
});
