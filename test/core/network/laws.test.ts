import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { SimulatedClient } from "../../support/simulator/client.ts";
import type { Fate } from "../../support/simulator/disturbance.ts";
import { bodies, type SimulatedNetwork, simulate } from "../../support/simulator/network.ts";
import { chain, diamond, mesh, networkOf, pair, ring, star } from "../../support/simulator/topologies.ts";

const queue = "queue://TEST.FOO";
const topic = "topic://TEST.FOO";
const everyTopology = [
  { name: "a pair", ways: pair, brokers: "ab" },
  { name: "a chain", ways: chain(4), brokers: "abcd" },
  { name: "a ring", ways: ring(4), brokers: "abcd" },
  { name: "a star", ways: star(4), brokers: "abcd" },
  { name: "a mesh", ways: mesh(4), brokers: "abcd" },
  { name: "a diamond", ways: diamond, brokers: "abcd" },
];

/** Each broker but the first hangs on one before it. */
const tree = fc
  .array(fc.nat(), { minLength: 1, maxLength: 4 })
  .map((parents) => parents.map((parent, index) => `${"abcde"[parent % (index + 1)]} <-> ${"abcde"[index + 1]}`).join(", "));
const somewhere = (most: number) => fc.array(fc.constantFrom(..."abcde"), { minLength: 1, maxLength: most });
const isIn = (ways: string) => (broker: string) => ways.includes(broker);

const consumersAt = async (net: SimulatedNetwork, brokers: readonly string[], destination: string): Promise<readonly SimulatedClient[]> => {
  const clients = brokers.map((at) => net.connect(at));
  for (const client of clients) await client.consume(destination);
  await net.run();
  return clients;
};

describe("messages", () => {
  test("in a tree with TTL ≥ diameter every subscriber gets each message once", async () => {
    await fc.assert(
      fc.asyncProperty(tree, somewhere(4), somewhere(3), async (ways, subscribers, publishers) => {
        const net = await simulate(networkOf(ways, { networkTTL: 4 }));
        const clients = await consumersAt(net, subscribers.filter(isIn(ways)), topic);
        const sent = publishers.filter(isIn(ways)).flatMap((at, index) => bodies(`${at}${index}`, 2).map((body) => ({ at, body })));
        for (const { at, body } of sent) net.send(at, topic, [body]);
        await net.run();
        for (const client of clients) expect(client.bodies().toSorted()).toEqual(sent.map(({ body }) => body).toSorted());
        expect(net.problems()).toEqual([]);
      }),
      { numRuns: 12 },
    );
  });

  test.for(everyTopology)(
    "in $name a queue message is consumed once or waits, whoever consumes and whatever the TTL",
    async ({ ways, brokers }) => {
      await fc.assert(
        fc.asyncProperty(
          somewhere(4),
          somewhere(3),
          fc.integer({ min: -1, max: 3 }),
          fc.boolean(),
          async (consumers, producers, networkTTL, conduit) => {
            const net = await simulate(networkOf(ways, { networkTTL, conduitSubscriptions: conduit }));
            const clients = await consumersAt(net, consumers.filter(isIn(brokers)), queue);
            const sent = producers.filter(isIn(brokers)).flatMap((at, index) => bodies(`${at}${index}`, 3).map((body) => ({ at, body })));
            for (const { at, body } of sent) net.send(at, queue, [body]);
            await net.run();
            const received = clients.flatMap((client) => client.bodies());
            expect(new Set(received).size).toBe(received.length);
            expect(received.length + brokers.split("").reduce((sum, at) => sum + net.depth(at, queue), 0)).toBe(sent.length);
            for (const path of clients.flatMap((client) => client.received.map(({ message }) => message.brokerPath)))
              expect(new Set(path).size).toBe(path.length);
          },
        ),
        { numRuns: 4 },
      );
    },
  );

  test("duplex is two one-way connectors", async () => {
    const duplex = {
      network: "test",
      brokers: {
        a: { region: "eu-west-1", networkConnectors: [{ name: "link", to: "b", duplex: true, conduitSubscriptions: false }] },
        b: { region: "eu-west-1" },
      },
    };
    const oneWay = networkOf(pair, { conduitSubscriptions: false });
    const played = async (input: Parameters<typeof simulate>[0]) => {
      const net = await simulate(input);
      const clients = await consumersAt(net, ["a", "b", "b"], queue);
      for (const at of ["a", "b"]) net.send(at, queue, bodies(at, 12));
      await net.run();
      return { received: clients.map((client) => client.bodies()), crossed: [net.crossings("a", "b"), net.crossings("b", "a")] };
    };
    expect(await played(duplex)).toEqual(await played(oneWay));
  });
});

describe("without consumers", () => {
  test.for(everyTopology)("$name has no demand and no traffic", async ({ ways, brokers }) => {
    const ids = brokers.split("");
    const topics = Object.fromEntries(ids.map((id) => [id, { topics: ["TEST.FOO"] }]));
    const net = await simulate(networkOf(ways, { networkTTL: -1 }, { brokers: topics }));
    for (const at of ids) {
      net.send(at, queue, bodies(at, 3));
      net.publish(at, topic, bodies(at, 3));
    }
    await net.run();
    for (const at of ids) {
      expect([await net.linkCandidates(at, queue), await net.linkCandidates(at, topic), net.depth(at, queue)]).toEqual([[], [], 3]);
      expect(ids.map((to) => net.crossings(at, to))).toEqual(ids.map(() => 0));
    }
  });
});

describe("demand", () => {
  const edges = "abcd".split("").flatMap((from) => "abcd".split("").flatMap((to) => (from === to ? [] : [`${from} -> ${to}`])));
  const someWays = fc.uniqueArray(fc.constantFrom(...edges), { minLength: 2, maxLength: 7 });
  const someFates = fc.array(fc.constantFrom<Fate>("arrives", "is lost", "arrives twice", "comes late"), { minLength: 1, maxLength: 12 });
  /** A client comes to a broker, or one of those that are there leaves; then some seconds pass. */
  const step = fc.record({ at: fc.constantFrom(..."abcd"), leaves: fc.option(fc.nat()), seconds: fc.integer({ min: 0, max: 40 }) });

  /** Brokers at the ends of all simple ways that begin with `from -> to`, as long as the TTL allows. */
  const ends = (ways: readonly string[], path: readonly string[], ttl: number): string[] => {
    const last = path.at(-1);
    const next = ways.map((way) => way.split(" -> ")).flatMap(([from, to = ""]) => (from === last && !path.includes(to) ? [to] : []));
    const further = ttl < 0 || path.length - 1 < ttl ? next.flatMap((to) => ends(ways, [...path, to], ttl)) : [];
    return [last ?? "", ...further];
  };

  test("is what consumers justify, after any history and whatever became of hints", async () => {
    await fc.assert(
      fc.asyncProperty(
        someWays,
        fc.integer({ min: -1, max: 3 }),
        someFates,
        fc.array(step, { maxLength: 7 }),
        async (ways, consumerTTL, fates, history) => {
          const net = await simulate(networkOf(ways.join(", "), { consumerTTL, conduitSubscriptions: false }), { fates });
          const open: { readonly at: string; readonly client: SimulatedClient }[] = [];
          for (const { at, leaves, seconds } of history.filter((one) => ways.some((way) => way.includes(one.at)))) {
            const [gone] = leaves === null ? [] : open.splice(leaves % Math.max(1, open.length), 1);
            if (gone) await gone.client.close();
            else {
              const client = net.connect(at);
              await client.consume(queue);
              open.push({ at, client });
            }
            await net.run(seconds * 1_000);
          }
          net.calm();
          await net.run();
          for (const way of ways) {
            const [from = "", to = ""] = way.split(" -> ");
            const consumers = ends(ways, [from, to], consumerTTL).map((end) => open.filter(({ at }) => at === end).length);
            const here = (await net.linkCandidates(from, queue)).filter(
              (candidate) => candidate.to === "link" && candidate.link.endsWith(`to-${to}`),
            );
            const [{ weight } = { weight: 0 }] = here;
            expect([way, weight]).toEqual([way, consumers.reduce((sum, count) => sum + count, 0)]);
          }
        },
      ),
      // The answers to the first probes are lost: what was learnt before the link came up is demand once it is.
      { numRuns: 30, examples: [[["a -> b", "b -> a"], 1, ["is lost"], [{ at: "a", leaves: null, seconds: 0 }]]] },
    );
  });

  test("comes to rest where each of two brokers ranks the way over the other above its own", async () => {
    const between = { consumerTTL: -1, consumerPriorityBase: 9 };
    const net = await simulate(
      networkOf("b -> a, c -> a, b <-> c", { decreaseNetworkConsumerPriority: true }, { connectors: { "b c": between, "c b": between } }),
    );
    await net.connect("a").consume(topic);
    await net.run(10 * 60_000);
    const links = async (at: string) => (await net.linkCandidates(at, topic)).map((one) => one.to === "link" && one.link);
    expect([await links("b"), await links("c")]).toEqual([["b:to-a"], ["c:to-a"]]);
  });

  const choices = fc.record({
    consumerTTL: fc.integer({ min: -1, max: 3 }),
    conduitSubscriptions: fc.boolean(),
    conduitNetworkQueueSubscriptions: fc.boolean(),
    decreaseNetworkConsumerPriority: fc.boolean(),
    suppressDuplicateQueueSubscriptions: fc.boolean(),
    suppressDuplicateTopicSubscriptions: fc.boolean(),
  });
  const destinations = ["queue://o.a", "queue://o.*", "topic://o.a", "topic://>"];
  const consumption = fc.record({
    at: fc.constantFrom(..."abcd"),
    destination: fc.constantFrom(...destinations),
    priority: fc.integer({ min: 0, max: 1 }),
    leaves: fc.boolean(),
    /** Its broker is cut off when it comes, and healed when the next one does. */
    cut: fc.boolean(),
    seconds: fc.integer({ min: 0, max: 90 }),
  });
  const declared = Object.fromEntries([..."abcd"].map((id) => [id, { queues: ["o.a"], topics: ["o.a"] }]));
  const linkDemand = async (net: SimulatedNetwork) =>
    Promise.all(
      [..."abcd"].flatMap((at) =>
        ["queue://o.a", "topic://o.a"].map(async (key) => [at, key, (await net.linkCandidates(at, key)).toSorted(byId)]),
      ),
    );
  const byId = (a: { readonly id: string }, b: { readonly id: string }) => (a.id < b.id ? -1 : 1);

  test("after any history is that of a network that never knew anything else", async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.constantFrom(...everyTopology.filter(({ brokers }) => brokers === "abcd")),
        choices,
        someFates,
        fc.array(consumption, { maxLength: 6 }),
        async ({ ways }, connector, fates, history) => {
          const net = await simulate(networkOf(ways, connector, { brokers: declared }), { fates });
          const fresh = await simulate(networkOf(ways, connector, { brokers: declared }));
          for (const { at, destination, priority, leaves, cut, seconds } of history) {
            if (cut) net.cut(at);
            const client = net.connect(at);
            await client.consume(destination, { priority });
            await net.run(seconds * 1_000);
            if (leaves) await client.close();
            else await fresh.connect(at).consume(destination, { priority });
            await net.run(seconds * 500);
            net.heal(at);
          }
          net.calm();
          await net.run(6 * 60_000);
          await fresh.run(6 * 60_000);
          expect(await linkDemand(net)).toEqual(await linkDemand(fresh));
        },
      ),
      { numRuns: 8 },
    );
  });
});
