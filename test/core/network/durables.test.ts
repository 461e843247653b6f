import { describe, expect, test } from "vitest";
import type { ConsumerSpec } from "../../../core/presence/presence.ts";
import { type SimulatedNetwork, simulate } from "../../support/simulator/network.ts";
import { networkOf } from "../../support/simulator/topologies.ts";

const topic = "topic://TEST.FOO";
const day = 24 * 3_600_000;
const durable = { clientID: "billing", subscriptionName: "audit" };
const alone = () => simulate({ network: "test", brokers: { a: { region: "eu-west-1", autoCreateDestinations: ["topic://>"] } } });

/** A connection that takes the durable subscription, and what is there when that was heard. */
const subscribe = async (net: SimulatedNetwork, at: string, spec: Partial<ConsumerSpec> = {}) => {
  const client = net.connect(at);
  const { destination = topic, ...options } = spec;
  const consumer = await client.consume(destination, { durable, ...options });
  await net.run();
  const refused = (await net.broker(at).brain.read("connection", "", client.connection))?.value.refused ?? [];
  return { client, consumer, refused: refused.map(({ why }) => why) };
};
const durablesAt = async (net: SimulatedNetwork, at: string) => (await net.broker(at).brain.list("durable", "")).map(({ id }) => id);
const queuesOf = (net: SimulatedNetwork) => net.cloud.queues.arns().filter((arn) => arn.includes("-s-durable-"));
const subscriptionsAt = (net: SimulatedNetwork, at: string, name = "TEST.FOO") =>
  net.cloud.topics.subscriptions(net.broker(at).where.topicOf({ kind: "topic", name }).arn);
const send = async (net: SimulatedNetwork, at: string, texts: readonly string[], destination = topic) => {
  net.send(at, destination, texts);
  await net.run();
};

describe("a durable subscription in one broker", () => {
  test("gathers while its subscriber is away, and whoever comes back with its key gets that", async () => {
    const net = await alone();
    const { client } = await subscribe(net, "a");
    await send(net, "a", ["1"]);
    await client.close();
    await send(net, "a", ["2", "3"]);
    await net.run(2 * day);
    const { client: back } = await subscribe(net, "a");
    await send(net, "a", ["4"]);
    expect([client.bodies(), back.bodies()]).toEqual([["1"], ["2", "3", "4"]]);
    expect(net.problems()).toEqual([]);
  });

  test("outlives a subscriber that only fell silent", async () => {
    const net = await alone();
    const { client } = await subscribe(net, "a");
    client.goSilent();
    await net.run(day);
    await send(net, "a", ["1"]);
    expect((await subscribe(net, "a")).client.bodies()).toEqual(["1"]);
  });

  test("DUR-15 it has one subscriber at a time; the next one has it when that one is gone", async () => {
    const net = await alone();
    const { client: first } = await subscribe(net, "a");
    const { client: second, refused } = await subscribe(net, "a");
    expect(refused).toEqual([
      `durable subscription audit of client billing is in use by connection ${first.connection}: close its subscriber first`,
    ]);
    await second.close();
    await send(net, "a", ["1"]);
    expect(first.bodies()).toEqual(["1"]);
    await first.close();
    expect((await subscribe(net, "a")).refused).toEqual([]);
  });

  test("a subscriber that wakes after another one has taken it is refused, and closing takes nothing from that one", async () => {
    const net = await alone();
    const { client: sleeper } = await subscribe(net, "a");
    sleeper.goSilent();
    await net.run(10 * 60_000);
    const { client } = await subscribe(net, "a");
    sleeper.pause();
    await sleeper.wake();
    await net.run();
    const connection = await net.broker("a").brain.read("connection", "", sleeper.connection);
    expect(connection?.value).toMatchObject({ consumers: [], refused: [{ consumer: "c1" }] });
    await sleeper.close();
    await send(net, "a", ["1"]);
    const [row] = await net.broker("a").brain.list("presence", topic);
    expect([client.bodies(), (row?.value.leaseUntil ?? 0) > net.now()]).toEqual([["1"], true]);
  });

  test("of two consumers of one connection the second is refused", async () => {
    const net = await alone();
    const { client } = await subscribe(net, "a");
    await client.consume(topic, { durable });
    await net.run();
    const connection = await net.broker("a").brain.read("connection", "", client.connection);
    expect(connection?.value.refused).toMatchObject([{ consumer: "c2" }]);
  });

  test("is one of many: clients and names apart, each gets every message", async () => {
    const net = await alone();
    const keys = ["x", "y"].flatMap((clientID) => ["1", "2"].map((subscriptionName) => ({ clientID, subscriptionName })));
    const subscribed = [];
    for (const one of keys) subscribed.push(await subscribe(net, "a", { durable: one }));
    await send(net, "a", ["m"]);
    expect(subscribed.map(({ client }) => client.bodies())).toEqual([["m"], ["m"], ["m"], ["m"]]);
  });

  test.for([
    { of: "a pattern", destination: "topic://TEST.>", topics: ["topic://TEST.A", "topic://TEST.B.C"] },
    { of: "a composite", destination: "topic://ONE,TWO", topics: ["topic://ONE", "topic://TWO"] },
  ])("of $of gathers from each topic that it means, also from one made later", async ({ destination, topics }) => {
    const net = await alone();
    const { client } = await subscribe(net, "a", { destination });
    await client.close();
    for (const [index, each] of topics.entries()) {
      await send(net, "a", [`first ${index}`], each);
      await send(net, "a", [`then ${index}`], each);
    }
    const { client: back } = await subscribe(net, "a", { destination });
    expect(back.bodies().toSorted()).toEqual(["first 0", "first 1", "then 0", "then 1"]);
  });
});

describe("unsubscribe", () => {
  test("takes away the subscription and its queue with what they gathered", async () => {
    const net = await alone();
    const { client } = await subscribe(net, "a");
    await client.close();
    await send(net, "a", ["lost"]);
    await net.connect("a").unsubscribe(durable);
    await net.run(day + 600_000);
    expect([
      await durablesAt(net, "a"),
      queuesOf(net),
      subscriptionsAt(net, "a"),
      await net.broker("a").brain.list("presence", topic),
    ]).toEqual([[], [], [], []]);
    expect((await subscribe(net, "a")).client.bodies()).toEqual([]);
    expect(net.problems()).toEqual([]);
  });

  test("doesn't touch one that has a subscriber", async () => {
    const net = await alone();
    const { client } = await subscribe(net, "a");
    await net.connect("a").unsubscribe(durable);
    await send(net, "a", ["1"]);
    expect(client.bodies()).toEqual(["1"]);
  });

  test("that comes late doesn't touch one that was made since", async () => {
    const net = await alone();
    const { client } = await subscribe(net, "a");
    const [made] = await net.broker("a").brain.list("durable", "");
    const late = { event: "unsubscribe", durable, madeAt: made?.value.madeAt ?? 0 } as const;
    await client.close();
    await net.connect("a").unsubscribe(durable);
    await net.run(2 * 60_000);
    const { client: again } = await subscribe(net, "a");
    await again.close();
    const { ports, slice } = net.broker("a");
    await ports.events.send([{ to: slice.broker, event: late }]);
    await send(net, "a", ["kept"]);
    expect((await subscribe(net, "a")).client.bodies()).toEqual(["kept"]);
  });
});

describe("a broker that is destroyed", () => {
  test("is left with what a durable subscription has gathered, and goes with it when that is taken", async () => {
    const net = await alone();
    await (await subscribe(net, "a")).client.close();
    await send(net, "a", ["1"]);
    expect(await net.destroy("a")).toEqual([{ queue: expect.stringContaining("-s-durable-"), messages: 1 }]);
    const { client } = await subscribe(net, "a");
    expect(client.bodies()).toEqual(["1"]);
    await client.close();
    await net.run();
    expect([await net.destroy("a"), queuesOf(net)]).toEqual([[], []]);
  });
});

describe("DUR-16 another topic", () => {
  test("makes the subscription anew: what it gathered goes, and the old topic is left", async () => {
    const net = await alone();
    const { client } = await subscribe(net, "a");
    await client.close();
    await send(net, "a", ["of the old topic"]);
    const { client: back } = await subscribe(net, "a", { destination: "topic://TEST.BAR" });
    await send(net, "a", ["of the old topic"]);
    await send(net, "a", ["of the new topic"], "topic://TEST.BAR");
    expect(back.bodies()).toEqual(["of the new topic"]);
    expect([subscriptionsAt(net, "a").length, subscriptionsAt(net, "a", "TEST.BAR").length, queuesOf(net).length]).toEqual([0, 1, 1]);
    expect(net.problems()).toEqual([]);
  });

  test("for one and the same connection, too", async () => {
    const net = await alone();
    const { client, consumer } = await subscribe(net, "a");
    await client.drop(consumer);
    await client.consume("topic://TEST.BAR", { durable });
    await net.run();
    await send(net, "a", ["1"], "topic://TEST.BAR");
    expect(client.bodies()).toEqual(["1"]);
    expect(await net.broker("a").brain.list("presence", topic)).toEqual([]);
  });
});

describe("a durable subscription that the configuration declares", () => {
  const line = { destination: topic, ...durable };
  const declared = (consumers: readonly object[] = [line]) => networkOf("a -> b", {}, { brokers: { b: { consumers } as never } });
  const depthOf = (net: SimulatedNetwork) => net.cloud.queues.depth(queuesOf(net)[0] ?? "")?.visible;

  test("gathers from the deployment on, from abroad too, in the form that a plain reader expects", async () => {
    const net = await simulate(declared());
    net.send("a", topic, ["abroad"]);
    await net.run();
    net.publish("b", topic, ["here"]);
    const bodies = net.cloud.queues.peek(queuesOf(net)[0] ?? "").map(({ body }) => JSON.parse(body));
    expect(bodies).toMatchObject([{ Type: "Notification" }, { Type: "Notification" }]);
  });

  test("isn't a client's to take, nor to remove", async () => {
    const net = await simulate(declared());
    const { client, refused } = await subscribe(net, "b");
    expect(refused).toEqual([
      "durable subscription audit of client billing is declared in the configuration: poll its queue, or take that line out",
    ]);
    await client.close();
    await client.unsubscribe(durable);
    await net.run();
    net.publish("b", topic, ["kept"]);
    expect(depthOf(net)).toBe(1);
  });

  test("is demand that outlasts its broker's silence", async () => {
    const net = await simulate(declared());
    net.cut("b");
    await net.run(2 * 3_600_000);
    expect(await net.linkCandidates("a", topic)).toHaveLength(1);
  });

  test("renamed it is another one: the deployment is refused while the old one's queue holds messages", async () => {
    const net = await simulate(declared());
    net.publish("b", topic, ["m"]);
    const renamed = declared([{ ...line, subscriptionName: "renamed" }]);
    expect(await net.redeploy("b", renamed)).toContain("durable");
    const [queue = ""] = queuesOf(net);
    for (const { receipt } of net.cloud.queues.receive(queue, 10, 1_000) ?? []) net.cloud.queues.remove(queue, receipt);
    expect(await net.redeploy("b", renamed)).toBeUndefined();
    await net.run();
    expect(subscriptionsAt(net, "b").map(({ queueArn }) => queueArn.includes("renamed"))).toEqual([true]);
  });
});
