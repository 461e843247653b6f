import { describe, expect, test } from "vitest";
import { simulate } from "../../support/simulator/network.ts";
import { chain, networkOf } from "../../support/simulator/topologies.ts";

describe("a wildcard consumer", () => {
  test.for(["queue", "topic"])("of %ss gets what is sent to any matching one elsewhere, made before or after it came", async (kind) => {
    const net = await simulate(networkOf("a -> b", {}, { brokers: { a: { [`${kind}s`]: ["o.old"] } } }));
    const client = net.connect("b");
    await client.consume(`${kind}://o.>`);
    await net.run();
    for (const name of ["o.old", "o.new", "o", "p.new"]) net.send("a", `${kind}://${name}`, [name]);
    await net.run();
    expect(client.bodies().toSorted()).toEqual(["o", "o.new", "o.old"]);
    expect(net.problems()).toEqual([]);
  });

  test("of topics gets what a topic was made for, however long it takes to subscribe to that", async () => {
    const net = await simulate(networkOf(chain(2)));
    const clients = [net.connect("a"), net.connect("b")];
    for (const client of clients) await client.consume("topic://o.>");
    await net.run();
    const { subscriptions } = net.broker("a").ports;
    const { subscribe } = subscriptions;
    const since = net.now();
    const slow: typeof subscribe = async (topic, target) => {
      if (net.now() - since < 60_000) throw new Error("Rate exceeded");
      return subscribe(topic, target);
    };
    Object.assign(subscriptions, { subscribe: slow });
    net.send("a", "topic://o.new", ["m"]);
    await net.run(10 * 60_000);
    expect(clients.map((client) => client.bodies())).toEqual([["m"], ["m"]]);
  });

  test.for(["queue", "topic"])("of %ss is served over as many hops as the TTL allows", async (kind) => {
    const net = await simulate(networkOf(chain(3), { networkTTL: 2 }));
    const client = net.connect("c");
    await client.consume(`${kind}://o.*`);
    await net.run();
    net.send("a", `${kind}://o.new`, ["m"]);
    await net.run();
    expect(client.bodies()).toEqual(["m"]);
  });

  test.for(["queue", "topic"])("of %ss that leaves takes its demand along, of all it matched", async (kind) => {
    const net = await simulate(networkOf("a -> b", {}, { brokers: { a: { [`${kind}s`]: ["o.one", "o.two"] } } }));
    const client = net.connect("b");
    await client.consume(`${kind}://o.>`);
    await net.run();
    await client.close();
    await net.run();
    for (const name of ["one", "two"]) {
      expect(await net.linkCandidates("a", `${kind}://o.${name}`)).toEqual([]);
      expect(net.cloud.topics.subscriptions(net.broker("a").where.topicOf({ kind: "topic", name: `o.${name}` }).arn)).toEqual([]);
    }
  });

  test("of queues shares with the consumer of one name", async () => {
    const net = await simulate(networkOf("a -> b", { conduitSubscriptions: false }));
    const [wide, named] = [net.connect("b"), net.connect("b")];
    await wide.consume("queue://o.>");
    await named.consume("queue://o.new");
    await net.run();
    net.send("a", "queue://o.new", ["1", "2", "3", "4"]);
    await net.run();
    expect([wide.received.length, named.received.length]).toEqual([2, 2]);
  });
});

describe("a static include with a wildcard", () => {
  const statics = { staticallyIncludedDestinations: ["queue://s.>", "topic://s.>"] };
  const declared = { queues: ["s.old", "t.old"], topics: ["s.prices"] };

  test("stands for each matching queue that exists, whoever consumes", async () => {
    const net = await simulate(networkOf("a -> b", statics, { brokers: { a: declared, b: { advisorySupport: false } } }));
    for (const name of ["s.old", "s.new", "t.old"]) net.send("a", `queue://${name}`, [name]);
    await net.run();
    expect(["s.old", "s.new", "t.old"].map((name) => [net.depth("a", `queue://${name}`), net.depth("b", `queue://${name}`)])).toEqual([
      [0, 1],
      [0, 1],
      [1, 0],
    ]);
  });

  test("stands for each matching topic", async () => {
    const net = await simulate(networkOf("a -> b", statics, { brokers: { a: declared, b: { advisorySupport: false } } }));
    const client = net.connect("b");
    await client.consume("topic://s.prices");
    await net.run();
    net.publish("a", "topic://s.prices", ["m"]);
    await net.run();
    expect(client.bodies()).toEqual(["m"]);
  });
});
