import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { SimulatedClient } from "../../support/simulator/client.ts";
import { bodies, type SimulatedNetwork, simulate } from "../../support/simulator/network.ts";
import { networkOf, pair } from "../../support/simulator/topologies.ts";

const orders = "queue://orders";
const news = "topic://news";
const minute = 60_000;

/** Queues and topics that bear a broker's names. */
const standing = ({ cloud }: SimulatedNetwork, id: string): string[] =>
  [...cloud.queues.arns(), ...cloud.made].filter((arn) => arn.includes(`:spanmq-test-${id}-`));
const stateOf = async (network: SimulatedNetwork, id: string): Promise<string | undefined> =>
  (await network.broker(id).brain.list("link", ""))[0]?.value.state;
const subscribers = (network: SimulatedNetwork, id: string): number =>
  network.cloud.topics.subscriptions(network.broker(id).where.topicOf({ kind: "topic", name: "news" }).arn).length;

/** A pair in which both ends consume a queue and a topic, all of it made on first use. */
const busyPair = async (input = networkOf(pair)) => {
  const network = await simulate(input);
  const clients = { a: network.connect("a"), b: network.connect("b") };
  for (const client of Object.values(clients)) {
    await client.consume(orders);
    await client.consume(news);
  }
  await network.run();
  return { ...network, clients };
};

describe("the end of a broker", () => {
  test.for([
    { first: "a", second: "b" },
    { first: "b", second: "a" },
  ])("leaves nothing with its names, $first before $second", async ({ first, second }) => {
    const network = await busyPair();
    expect(await network.destroy(first)).toEqual([]);
    expect(standing(network, first)).toEqual([]);
    await network.run();
    expect(await network.destroy(second)).toEqual([]);
    await network.run();
    expect([standing(network, first), standing(network, second), network.problems()]).toEqual([[], [], []]);
  });

  test("that is refused names what is left, and it works on: its peer's messages cross to it, its clients' to the peer", async () => {
    const network = await busyPair();
    network.send("b", "queue://nobody", bodies("rests", 2));
    await network.run();
    expect(await network.destroy("b")).toEqual([{ queue: "spanmq-test-b-q-nobody", messages: 2 }]);
    await network.run();
    await network.clients.a.drop("c1");
    await network.run();
    network.send("a", orders, bodies("order", 5));
    network.publish("a", news, ["there"]);
    network.publish("b", news, ["back"]);
    await network.run();
    expect(network.clients.b.bodies("c1").toSorted()).toEqual(bodies("order", 5));
    expect([network.clients.b.bodies("c2").toSorted(), network.clients.a.bodies("c2").toSorted()]).toEqual([
      ["back", "there"],
      ["back", "there"],
    ]);
    expect(network.problems()).toEqual([]);
  });

  test("with the policy destroy takes its messages along", async () => {
    const network = await simulate(networkOf(pair, {}, { brokers: { b: { queues: ["kept"], removalPolicy: "destroy" } } }));
    network.send("b", "queue://kept", bodies("gone", 2));
    await network.run();
    expect(await network.destroy("b")).toEqual([]);
    expect(standing(network, "b")).toEqual([]);
  });

  test("is refused for what stands in undelivered and in the dead letters too", async () => {
    const network = await simulate(networkOf(pair));
    const { own, undelivered } = network.broker("a").where;
    const link = network.broker("a").slice.connectors.find(({ from }) => from === "a")?.link;
    for (const arn of [own.queueArn(own.deadLettersQueue), link && undelivered(link)?.arn])
      network.cloud.queues.send(arn ?? "", { body: "x", attributes: {} });
    expect(await network.destroy("a")).toEqual([
      { queue: "spanmq-test-a-sys-dead-letters", messages: 1 },
      { queue: "spanmq-test-a-sys-undelivered-to_-b", messages: 1 },
    ]);
  });
});

describe("whatever happened before", () => {
  const step = fc.oneof(
    fc.record({ does: fc.constant("send" as const), at: fc.constantFrom("a", "b"), count: fc.integer({ min: 1, max: 4 }) }),
    fc.record({ does: fc.constant("send direct" as const), at: fc.constantFrom("a", "b"), count: fc.integer({ min: 1, max: 4 }) }),
    fc.record({ does: fc.constant("wait" as const), ms: fc.integer({ min: 1, max: 2 * minute }) }),
    fc.record({ does: fc.constant("consume" as const), at: fc.constantFrom("a", "b") }),
    fc.record({ does: fc.constant("leave" as const), at: fc.constantFrom("a", "b") }),
  );

  test("no message is lost by a destroy, refused or not", async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 8 }), async (steps) => {
        const network = await simulate(networkOf(pair));
        const clients: SimulatedClient[] = [];
        const consume = async (at: string) => {
          const client = network.connect(at);
          clients.push(client);
          await client.consume(orders);
        };
        const sent: string[] = [];
        for (const [index, one] of steps.entries()) {
          const some = "count" in one ? bodies(`m${index}`, one.count) : [];
          sent.push(...some);
          if (one.does === "send") network.send(one.at, orders, some);
          else if (one.does === "send direct" && network.depth(one.at, orders) > 0) network.sendDirect(one.at, orders, some);
          else if (one.does === "send direct") network.send(one.at, orders, some);
          else if (one.does === "wait") await network.run(one.ms);
          else if (one.does === "consume") await consume(one.at);
          else for (const client of clients.filter(({ broker }) => broker === one.at)) await client.close();
        }
        const left = await network.destroy("b");
        if (left.length === 0) await network.deploy("b");
        for (const at of ["a", "b"]) await consume(at);
        await network.run(20 * minute);
        expect(clients.flatMap((client) => client.bodies()).toSorted()).toEqual(sent.toSorted());
        expect(network.problems()).toEqual([]);
      }),
      { numRuns: 40 },
    );
  });
});

describe("a peer of a broker that ends", () => {
  test("keeps its messages at home and unsubscribes the inbound that goes; when the broker is deployed again they cross", async () => {
    const network = await busyPair();
    await network.clients.a.drop("c1");
    await network.run();
    expect(subscribers(network, "a")).toBe(2);
    expect(await network.destroy("b")).toEqual([]);
    expect([await stateOf(network, "a"), subscribers(network, "a")]).toEqual(["waiting for peer", 1]);
    expect(await network.linkCandidates("a", orders)).toEqual([]);

    network.send("a", orders, bodies("order", 3));
    network.publish("a", news, ["while it was away"]);
    await network.run(5 * minute);
    expect([network.depth("a", orders), network.deadLetters("a")]).toEqual([3, []]);
    expect(network.cloud.queues.depth(network.broker("a").where.own.queueArn("spanmq-test-a-sys-undelivered-to_-b"))?.visible).toBe(0);

    await network.deploy("b");
    const again = network.connect("b");
    await again.consume(orders);
    await again.consume(news);
    await network.run();
    expect(await stateOf(network, "a")).toBe("started");
    expect(again.bodies("c1").toSorted()).toEqual(bodies("order", 3));
    network.publish("a", news, ["since"]);
    await network.run();
    expect([again.bodies("c2"), network.problems()]).toEqual([["since"], []]);
  });

  test("keeps what it includes statically at home too, and sends it when the broker is there again", async () => {
    const include = [orders, "queue://pattern.>", "topic://*"];
    const network = await simulate(
      networkOf("a -> b", { staticallyIncludedDestinations: include }, { brokers: { a: { topics: ["news"] } } }),
    );
    expect(subscribers(network, "a")).toBe(1);
    network.send("a", "queue://pattern.x", ["first"]);
    await network.run();
    expect(network.depth("b", "queue://pattern.x")).toBe(1);
    const consumer = network.connect("b");
    await consumer.consume("queue://pattern.x");
    await network.run();
    expect(consumer.bodies()).toEqual(["first"]);
    expect(await network.destroy("b")).toEqual([]);
    expect([await network.linkCandidates("a", "queue://pattern.x"), subscribers(network, "a")]).toEqual([[], 0]);
    network.send("a", orders, ["named"]);
    network.send("a", "queue://pattern.x", ["matched"]);
    await network.run(5 * minute);
    expect([network.depth("a", orders), network.depth("a", "queue://pattern.x")]).toEqual([1, 1]);
    await network.deploy("b");
    await network.run(5 * minute);
    expect([network.depth("b", orders), network.depth("b", "queue://pattern.x"), subscribers(network, "a")]).toEqual([1, 1, 1]);
    expect([network.depth("a", orders), network.depth("a", "queue://pattern.x")]).toEqual([0, 0]);
  });

  test.for([
    { rule: "a name", consumed: orders },
    { rule: "a pattern", consumed: "queue://>" },
  ])("takes back what it told others in its name: $rule", async ({ consumed }) => {
    const network = await simulate(networkOf("a -> b, b -> c", { networkTTL: 2 }));
    await network.connect("c").consume(consumed);
    await network.run();
    network.send("a", orders, ["crosses twice"]);
    await network.run();
    expect(await network.linkCandidates("a", orders)).toHaveLength(1);
    await network.destroy("c");
    network.send("a", orders, ["stays"]);
    await network.run();
    expect([await network.linkCandidates("a", orders), network.depth("a", orders), network.depth("b", orders)]).toEqual([[], 1, 0]);
  });

  test("that doesn't hear of it holds nobody up, and loses nothing: what its link refuses rests", async () => {
    const network = await busyPair();
    await network.clients.a.drop("c1");
    await network.run();
    network.cut("a", "b");
    expect(await network.destroy("b")).toEqual([]);
    network.heal("a", "b");
    network.send("a", orders, bodies("order", 3));
    await network.run();
    expect(network.depth("a", orders)).toBe(3);
  });

  test("is ready again only when the broker's next life has taken up its demand", async () => {
    const network = await busyPair();
    const effective = async () => (await network.broker("a").brain.list("effective", orders)).length;
    expect(await effective()).toBe(1);
    await network.destroy("b");
    expect(await effective()).toBe(0);
    await network.deploy("b");
    await network.run();
    expect(await effective()).toBe(1);
  });
});
