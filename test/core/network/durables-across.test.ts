import { describe, expect, test } from "vitest";
import { brokerId, linkId } from "../../../core/ids.ts";
import { linksWithDemand, sendAndRun, subscribeDurable, unsubscribeDurable } from "../../support/simulator/durables.ts";
import { bodies, type SimulatedNetwork, simulate } from "../../support/simulator/network.ts";
import { type Connector, chain, networkOf, pair, ring } from "../../support/simulator/topologies.ts";

const topic = "topic://TEST.FOO";
const hour = 3_600_000;
const day = 24 * hour;

const subscribe = (net: SimulatedNetwork, at: string, clientID?: string) => subscribeDurable(net, at, topic, clientID);
const send = (net: SimulatedNetwork, at: string, texts: readonly string[]) => sendAndRun(net, at, topic, texts);
const demandAt = (net: SimulatedNetwork, at: string) => linksWithDemand(net, at, topic);
const countsOf = async (net: SimulatedNetwork, brokers: string) =>
  (await Promise.all(brokers.split("").map(async (at) => (await demandAt(net, at)).length))).join("");

describe("a durable subscription abroad", () => {
  test("DUR-3 is demand while its subscriber is away: what is published meanwhile waits beside it", async () => {
    const net = await simulate(networkOf(pair));
    await (await subscribe(net, "b")).close();
    await net.run(2 * day);
    await send(net, "a", bodies("m", 3));
    expect((await subscribe(net, "b")).bodies()).toEqual(bodies("m", 3));
    expect(net.problems()).toEqual([]);
  });

  test("DUR-4, N04 is no demand any more when it is unsubscribed, and nothing of it is left at either broker", async () => {
    const net = await simulate(networkOf(pair));
    await (await subscribe(net, "b")).close();
    expect(await demandAt(net, "a")).toEqual(["a:to-b"]);
    await unsubscribeDurable(net, "b");
    expect(await demandAt(net, "a")).toEqual([]);
    expect(net.cloud.topics.subscriptions(net.broker("a").where.topicOf({ kind: "topic", name: "TEST.FOO" }).arn)).toEqual([]);
    await send(net, "a", ["m"]);
    expect(net.crossings("a", "b")).toBe(0);
  });

  test("DUR-8, N04 unsubscribed while the peer can't be reached, it is no demand when the peer is back", async () => {
    const net = await simulate(networkOf(pair));
    await (await subscribe(net, "b")).close();
    net.cut("a", "b");
    await unsubscribeDurable(net, "b");
    expect(await demandAt(net, "a")).toEqual(["a:to-b"]);
    net.heal("a", "b");
    await net.run();
    expect(await demandAt(net, "a")).toEqual([]);
  });

  test("CND-8 unsubscribed beside a plain consumer, that one's demand stays", async () => {
    const net = await simulate(networkOf(pair));
    await (await subscribe(net, "b")).close();
    const plain = net.connect("b");
    await plain.consume(topic);
    await net.run();
    await unsubscribeDurable(net, "b");
    await send(net, "a", ["m"]);
    expect(plain.bodies()).toEqual(["m"]);
  });

  test("CND-8 a plain consumer that was first and leaves takes no demand with it", async () => {
    const net = await simulate(networkOf(pair));
    const plain = net.connect("b");
    await plain.consume(topic);
    await net.run();
    await (await subscribe(net, "b")).close();
    await plain.close();
    await send(net, "a", ["m"]);
    expect((await subscribe(net, "b")).bodies()).toEqual(["m"]);
  });

  test("outlasts a peer's silence, when a plain consumer's demand is given up: what is published meanwhile waits", async () => {
    const net = await simulate(networkOf(pair));
    await (await subscribe(net, "b")).close();
    const plain = net.connect("b");
    await plain.consume("topic://PLAIN");
    await net.run();
    net.cut("b");
    await net.run(2 * hour);
    expect([await net.linkCandidates("a", "topic://PLAIN"), await demandAt(net, "a")]).toEqual([[], ["a:to-b"]]);
    await send(net, "a", ["m"]);
    net.heal("b");
    await net.run();
    expect((await subscribe(net, "b")).bodies()).toEqual(["m"]);
  });

  test("a peer that one broker doesn't hear gets it by another one; the silent link keeps its subscription, and what SNS holds for it", async () => {
    const net = await simulate(networkOf("a -> b, a -> c, c -> b", { networkTTL: 2 }, { brokers: everywhere("a") }));
    const client = await subscribe(net, "b");
    expect(await demandAt(net, "a")).toEqual(["a:to-b"]);
    net.cut("a", "b");
    await net.run(2 * hour);
    expect(await demandAt(net, "a")).toEqual(["a:to-b", "a:to-c"]);
    await send(net, "a", ["m"]);
    expect(client.bodies()).toEqual(["m"]);
    net.heal("a", "b");
    await net.run();
    expect(await demandAt(net, "a")).toEqual(["a:to-b"]);
  });

  test("DUR-14 without conduit two of one name, of two clients, are two, and neither ends with its subscriber", async () => {
    const net = await simulate(networkOf(pair, { conduitSubscriptions: false }));
    const [one, two] = [await subscribe(net, "b", "one"), await subscribe(net, "b", "two")];
    await one.close();
    await two.close();
    await send(net, "a", ["m"]);
    const back = [await subscribe(net, "b", "one"), await subscribe(net, "b", "two")];
    expect(back.map((client) => client.bodies())).toEqual([["m"], ["m"]]);
    expect(net.crossings("a", "b")).toBe(1);
    for (const client of back) await client.close();
    await unsubscribeDurable(net, "b", "one");
    expect(await demandAt(net, "a")).toEqual(["a:to-b"]);
    await unsubscribeDurable(net, "b", "two");
    expect(await demandAt(net, "a")).toEqual([]);
  });
});

describe("durable demand behind a stopped connector", () => {
  const command = async (net: SimulatedNetwork, run: "start" | "stop", at = "a", to = "b") => {
    await net.command(at, `to-${to}`, run);
    await net.run();
  };
  const shelterOf = (net: SimulatedNetwork) => {
    const { arn } = net.broker("a").where.queueOf({ to: "undelivered", link: linkId(brokerId("a"), "to-b") });
    return net.cloud.queues.depth(arn)?.visible;
  };

  test("what is published waits here, however long, and crosses when it is started: once, and nothing is missed on the way", async () => {
    const net = await simulate(networkOf("a -> b", {}, { brokers: everywhere("a") }));
    const client = await subscribe(net, "b");
    await command(net, "stop");
    net.publish("a", topic, bodies("m", 30));
    await net.run(2 * hour);
    expect([client.bodies(), shelterOf(net), net.crossings("a", "b")]).toEqual([[], 30, 0]);
    await net.command("a", "to-b", "start");
    const since = [];
    for (let n = 0; n < 40; n += 1) {
      net.publish("a", topic, [`s-${n}`]);
      since.push(`s-${n}`);
      await net.run(1_000);
    }
    await net.run();
    expect(client.bodies().toSorted()).toEqual([...bodies("m", 30), ...since].toSorted());
    expect([shelterOf(net), net.problems()]).toEqual([0, []]);
  });

  test("nothing is missed while it is being stopped, nor of a FIFO topic, whose order is kept", async () => {
    const declared = { topics: ["TEST.FOO.fifo"] };
    const net = await simulate(networkOf("a -> b", {}, { brokers: { a: declared, b: declared } }));
    const client = await subscribeDurable(net, "b", `${topic}.fifo`);
    await net.command("a", "to-b", "stop");
    for (let n = 0; n < 90; n += 1) {
      net.publishInOrder("a", `${topic}.fifo`, [`g-${n}`]);
      await net.run(1_000);
    }
    await command(net, "start");
    net.publishInOrder("a", `${topic}.fifo`, ["g-90"]);
    await net.run();
    expect(client.bodies()).toEqual(bodies("g", 91));
  });

  test("waits at the broker next to it, though it was published two hops away", async () => {
    const net = await simulate(networkOf("c -> a, a -> b", { networkTTL: 2 }, { brokers: everywhere("c") }));
    const client = await subscribe(net, "b");
    await command(net, "stop");
    net.publish("c", topic, ["m"]);
    await net.run(hour);
    expect([client.bodies(), shelterOf(net), net.crossings("c", "a")]).toEqual([[], 1, 1]);
    await command(net, "start");
    expect(client.bodies()).toEqual(["m"]);
  });

  test("another way to the same subscription goes first", async () => {
    const net = await simulate(networkOf("a -> b, a -> c, c -> b", { networkTTL: 2 }, { brokers: everywhere("a") }));
    const client = await subscribe(net, "b");
    await command(net, "stop");
    net.publish("a", topic, ["m"]);
    await net.run();
    expect([client.bodies(), shelterOf(net)]).toEqual([["m"], 0]);
  });

  test("nothing is missed while a longer way gives way to a started one, however long SNS takes to deliver to that", async () => {
    const net = await simulate(networkOf(ring(4), { networkTTL: -1 }, { brokers: everywhere("a") }), { subscriptionLagMs: 10_000 });
    const client = await subscribe(net, "d");
    await command(net, "stop", "a", "d");
    await net.command("a", "to-d", "start");
    for (const text of bodies("m", 40)) {
      net.publish("a", topic, [text]);
      await net.run(1_000);
    }
    await net.run();
    expect(client.bodies().toSorted()).toEqual(bodies("m", 40).toSorted());
  });

  test("nothing is missed when another way than the one that it waits for is started, however long SNS takes to deliver to that", async () => {
    const net = await simulate(networkOf("a -> b, a -> c, c -> b", { networkTTL: 2 }, { brokers: everywhere("a") }), {
      subscriptionLagMs: 10_000,
    });
    const client = await subscribe(net, "b");
    for (const to of ["b", "c"]) await command(net, "stop", "a", to);
    await net.command("a", "to-c", "start");
    for (const text of bodies("m", 40)) {
      await net.run(1_000);
      net.publish("a", topic, [text]);
    }
    await net.run();
    expect([client.bodies().toSorted(), shelterOf(net)]).toEqual([bodies("m", 40).toSorted(), 0]);
  });

  test.for([
    { rule: "its subscriber was there before the stop", cut: false },
    { rule: "its subscriber came while the peer couldn't be reached, and is learnt of after the stop", cut: true },
  ])("a broker beyond takes another way as well: $rule", async ({ cut }) => {
    // Of two ways as long e would take the one over a, by its name, were a's link not stopped.
    const net = await simulate(networkOf("a -> b, e -> a, a -> e, e -> d, d -> b", { networkTTL: -1 }, { brokers: everywhere("e") }));
    if (cut) net.cut("a", "b");
    const client = await subscribe(net, "b");
    await command(net, "stop");
    if (cut) net.heal("a", "b");
    await net.run(hour);
    expect([await demandAt(net, "e"), await demandAt(net, "a")]).toEqual([["e:to-d"], ["a:to-e"]]);
    for (const at of ["a", "e"]) await send(net, at, [`from ${at}`]);
    expect([client.bodies().toSorted(), shelterOf(net)]).toEqual([["from a", "from e"], 0]);
  });

  test("ends with the subscription", async () => {
    const net = await simulate(networkOf("a -> b", {}, { brokers: everywhere("a") }));
    await (await subscribe(net, "b")).close();
    await command(net, "stop");
    await unsubscribeDurable(net, "b");
    net.publish("a", topic, ["m"]);
    await net.run();
    expect(shelterOf(net)).toBe(0);
  });

  test("goes to the peer, and ends, when the connector shall be taken away", async () => {
    const ways = (connector: Connector) => networkOf("a -> b", connector, { brokers: everywhere("a") });
    const net = await simulate(ways({}));
    const client = await subscribe(net, "b");
    await command(net, "stop");
    net.publish("a", topic, ["m"]);
    await net.run();
    for (const at of ["a", "b"]) await net.redeploy(at, ways({ removed: true }));
    net.publish("a", topic, ["too late"]);
    await net.run(hour);
    expect([client.bodies(), shelterOf(net)]).toEqual([["m"], 0]);
  });

  test.for([
    { rule: "that never ran: nothing waits", stops: { autoStart: false }, destination: topic, waiting: 0 },
    { rule: "a plain consumer's isn't kept", stops: {}, destination: topic, durable: false, waiting: 0 },
    {
      rule: "a plain consumer's is with forceDurable",
      stops: { dynamicallyIncludedDestinations: [`${topic}?forceDurable=true`] },
      destination: topic,
      durable: false,
      waiting: 1,
    },
    {
      rule: "so is a static include",
      stops: { staticallyIncludedDestinations: [`${topic}?forceDurable=true`] },
      destination: undefined,
      waiting: 1,
    },
  ])("$rule", async ({ stops, destination, durable = true, waiting }) => {
    const net = await simulate(networkOf("a -> b", stops, { brokers: everywhere("a") }));
    if (destination && durable) await subscribe(net, "b");
    else if (destination) await net.connect("b").consume(destination);
    await net.run();
    await command(net, "stop");
    net.publish("a", topic, ["m"]);
    await net.run();
    expect(shelterOf(net)).toBe(waiting);
  });
});

describe("which durable subscriptions a connector opens when it first runs", () => {
  const late = { autoStart: false };
  test.for([
    { rule: "only those that have a subscriber", connector: late, leaves: true, opened: false },
    { rule: "also one that has a subscriber", connector: late, leaves: false, opened: true },
    { rule: "syncDurableSubs: all", connector: { ...late, syncDurableSubs: true }, leaves: true, opened: true },
    {
      rule: "dynamicOnly, whatever syncDurableSubs says: only those that have a subscriber",
      connector: { ...late, syncDurableSubs: true, dynamicOnly: true },
      leaves: true,
      opened: false,
    },
  ])("$rule", async ({ connector, leaves, opened }) => {
    const net = await simulate(networkOf("a -> b", connector));
    const client = await subscribe(net, "b");
    if (leaves) await client.close();
    await net.run();
    await net.command("a", "to-b", "start");
    await net.run();
    expect(await demandAt(net, "a")).toEqual(opened ? ["a:to-b"] : []);
    const back = await subscribe(net, "b", leaves ? "client-b" : "another");
    expect(await demandAt(net, "a")).toEqual(["a:to-b"]);
    await back.close();
    await net.run(hour);
    expect(await demandAt(net, "a")).toEqual(["a:to-b"]);
  });

  test("DUR-7, 8 one made while the peer couldn't be reached is opened when it can be, though its subscriber is gone", async () => {
    const net = await simulate(networkOf("a -> b"));
    net.cut("a", "b");
    await net.run(2 * hour);
    await (await subscribe(net, "b")).close();
    net.heal("a", "b");
    await net.run();
    await send(net, "a", ["m"]);
    expect((await subscribe(net, "b")).bodies()).toEqual(["m"]);
  });
});

describe("DUR-13, D8-D10 a chain a-b-c-d-e with durable subscriptions at both ends: who holds demand, by networkTTL", () => {
  /** The original's counts, there not after a restart at 2 and 3; with 0 the neighbours' demand is known here (TTL-4), and nothing crosses. */
  test.for([
    { networkTTL: 0, counts: "01010" },
    { networkTTL: 1, counts: "01010" },
    { networkTTL: 2, counts: "01210" },
    { networkTTL: 3, counts: "02220" },
    { networkTTL: 4, counts: "12221" },
    { networkTTL: -1, counts: "12221" },
  ])("$networkTTL: $counts, also offline, and after all five were restored", async ({ networkTTL, counts }) => {
    const net = await simulate(networkOf(chain(5), { networkTTL }, { brokers: everywhere("abcde") }));
    const clients = [await subscribe(net, "a"), await subscribe(net, "e")];
    expect(await countsOf(net, "abcde")).toBe(counts);
    for (const client of clients) await client.close();
    await net.run(2 * hour);
    for (const at of "abcde") net.backUp(at)();
    await net.run(2 * hour);
    expect(await countsOf(net, "abcde")).toBe(counts);
    for (const at of "ae") await unsubscribeDurable(net, at);
    expect(await countsOf(net, "abcde")).toBe("00000");
  });
});

const everywhere = (brokers: string) => Object.fromEntries(brokers.split("").map((id) => [id, { topics: ["TEST.FOO"] }]));

describe("forceDurable", () => {
  const forced: Connector = { dynamicallyIncludedDestinations: [`${topic}?forceDurable=true`, "topic://PLAIN"] };

  test("treats a plain consumer's demand as durable: it outlasts the peer's silence", async () => {
    const net = await simulate(networkOf("a -> b", forced));
    const client = net.connect("b");
    for (const destination of [topic, "topic://PLAIN"]) await client.consume(destination);
    await net.run();
    net.cut("a", "b");
    await net.run(2 * hour);
    expect([await demandAt(net, "a"), await net.linkCandidates("a", "topic://PLAIN")]).toEqual([["a:to-b"], []]);
  });

  test.for([
    { rule: "DUR-2 with the option on a pattern", included: "topic://TEST.>?forceDurable=true", expected: ["a:to-b"] },
    { rule: "switched off", included: `${topic}?forceDurable=false`, expected: [] },
  ])("$rule", async ({ included, expected }) => {
    const net = await simulate(networkOf("a -> b", { dynamicallyIncludedDestinations: [included] }));
    await net.connect("b").consume(topic);
    await net.run();
    net.cut("a", "b");
    await net.run(2 * hour);
    expect(await demandAt(net, "a")).toEqual(expected);
  });

  test("DUR-4 the last forcing consumer that leaves ends the demand", async () => {
    const net = await simulate(networkOf("a -> b", forced));
    const clients = [net.connect("b"), net.connect("b")];
    for (const client of clients) await client.consume(topic);
    await net.run();
    await clients[0]?.close();
    await net.run();
    expect(await demandAt(net, "a")).toEqual(["a:to-b"]);
    await clients[1]?.close();
    await net.run();
    expect(await demandAt(net, "a")).toEqual([]);
  });
});

describe("N06 a ring of three with an offline durable subscription", () => {
  test("no broker holds demand whose path begins at itself, whoever is restored first", async () => {
    const net = await simulate(networkOf(ring(3), { networkTTL: 2 }, { brokers: everywhere("abc") }));
    await (await subscribe(net, "a")).close();
    const held = async () => Promise.all(["a", "b", "c"].map(async (at) => [await demandAt(net, at), await pathsOf(net, at)]));
    const before = await held();
    for (const order of ["abc", "acb", "bac", "bca", "cab", "cba"]) {
      for (const at of order) {
        net.backUp(at)();
        await net.run();
      }
      expect(await held()).toEqual(before);
    }
    for (const [at, [, paths]] of before.entries()) expect(paths?.filter((path) => path.startsWith("abc"[at] ?? ""))).toEqual([]);
  }, 20_000);
});

/** Paths of all that a broker tells its peers about the topic. */
const pathsOf = async (net: SimulatedNetwork, at: string) => {
  const root = await net.broker(at).brain.read("root", "", "root");
  const all = await Promise.all(Object.keys(root?.value.buckets ?? {}).map((bucket) => net.broker(at).brain.list("demand", bucket)));
  return all.flat().flatMap(({ value }) => value.groups.map(({ path }) => path.join("")));
};
