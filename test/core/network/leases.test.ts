import { describe, expect, test } from "vitest";
import { bodies, simulate } from "../../support/simulator/network.ts";
import { networkOf } from "../../support/simulator/topologies.ts";

const minute = 60_000;
const queue = "queue://TEST.FOO";
const topic = "topic://TEST.FOO";

/** A subscriber at b that falls silent, and what is left of it some minutes later; its last word came within the minute before. */
const silentSubscriber = async () => {
  const net = await simulate(networkOf("a -> b"));
  const client = net.connect("b");
  await client.consume(topic);
  await net.run();
  client.goSilent();
  const ownArn = net.broker("b").where.queueOf({ to: "own-queue", queue: `${client.connection}.c1.topic` }).arn;
  const left = async () => ({
    demand: (await net.linkCandidates("a", topic)).length > 0,
    subscribed: net.cloud.topics.subscriptions(net.broker("b").where.topicOf({ kind: "topic", name: "TEST.FOO" }).arn).length > 0,
    queue: net.cloud.queues.exists(ownArn),
  });
  return { net, client, left };
};

describe("a subscriber that falls silent", () => {
  test.for([
    { rule: "counts while its lease runs", minutes: 2, left: { demand: true, subscribed: true, queue: true } },
    {
      rule: "is demand as long as it is subscribed, so that a pause loses nothing wherever it was published",
      minutes: 4,
      left: { demand: true, subscribed: true, queue: true },
    },
    { rule: "is unsubscribed two minutes later", minutes: 7, left: { demand: false, subscribed: false, queue: true } },
    { rule: "loses its queue ten minutes after its lease", minutes: 15, left: { demand: false, subscribed: false, queue: false } },
  ])("$rule", async ({ minutes, left: expected }) => {
    const { net, left } = await silentSubscriber();
    await net.run(minutes * minute);
    expect(await left()).toEqual(expected);
  });

  test("loses nothing that comes over a link while its subscription still stands", async () => {
    const { net, client } = await silentSubscriber();
    await net.run(3.5 * minute);
    net.publish("a", topic, ["m"]);
    await net.run(1_000);
    await client.wake();
    await net.run();
    expect(client.bodies()).toEqual(["m"]);
  });

  test("that speaks again is demand again", async () => {
    const { net, client } = await silentSubscriber();
    await net.run(8 * minute);
    await client.wake();
    await net.run();
    net.publish("a", topic, ["m"]);
    await net.run();
    expect(client.bodies()).toEqual(["m"]);
  });
});

test("C16 a consumer of a queue that fell silent is no demand when its lease is over, though its row still stands", async () => {
  const net = await simulate(networkOf("a -> b"));
  const client = net.connect("b");
  await client.consume(queue);
  await net.run();
  client.goSilent();
  await net.run(5 * minute);
  const rows = await net.broker("b").brain.list("presence", queue);
  expect([rows.length, await net.linkCandidates("a", queue)]).toEqual([1, []]);
});

describe("messages in the private queue of a consumer that", () => {
  const privateQueue = async () => {
    const net = await simulate(networkOf("a -> b"));
    const client = net.connect("a");
    client.pause();
    const consumer = await client.consume(queue, { prefetchSize: 10 });
    await net.run();
    net.send("a", queue, bodies("m", 4));
    await net.run(1_000);
    const other = net.connect("b");
    const ownArn = net.broker("a").where.queueOf({ to: "own-queue", queue: `${client.connection}.${consumer}` }).arn;
    return { net, client, consumer, other, ownArn };
  };

  test.for([
    { rule: "closed its connection", leave: "close" },
    { rule: "was closed itself", leave: "drop" },
    { rule: "fell silent", leave: "goSilent" },
  ] as const)("$rule go to whoever consumes elsewhere", async ({ leave }) => {
    const { net, client, consumer, other, ownArn } = await privateQueue();
    await other.consume(queue);
    await net.run();
    expect(other.received).toEqual([]);
    await client[leave](consumer);
    await net.run(20 * minute);
    expect(other.bodies().toSorted()).toEqual(bodies("m", 4));
    expect(net.cloud.queues.exists(ownArn)).toBe(false);
    expect(net.problems()).toEqual([]);
  });

  test("took a message and died with it aren't deleted with it", async () => {
    const { net, client, other, ownArn } = await privateQueue();
    await other.consume(queue);
    await net.run(3 * minute + 50_000); // the next tick is near: the first pass finds the queue empty, the message is in flight
    const [taken] = net.cloud.queues.receive(ownArn, 1, 30_000) ?? [];
    await client.close();
    await net.run(20 * minute);
    expect(other.bodies().toSorted()).toEqual(bodies("m", 4));
    expect(taken).toBeDefined();
    expect(net.cloud.queues.exists(ownArn)).toBe(false);
  });

  test("wanted it later and left before aren't deleted with it", async () => {
    const net = await simulate(networkOf("a -> b"));
    const [client, other] = [net.connect("a"), net.connect("b")];
    const later = async () => ({ later: 30 * minute });
    const consumer = await client.consume(queue, { prefetchSize: 10 }, { acks: true, handle: later });
    await net.run();
    net.send("a", queue, bodies("m", 4));
    await net.run(10_000);
    await other.consume(queue);
    await client.close();
    await net.run(60 * minute);
    const ownArn = net.broker("a").where.queueOf({ to: "own-queue", queue: `${client.connection}.${consumer}` }).arn;
    expect([other.bodies().toSorted(), net.cloud.queues.exists(ownArn)]).toEqual([bodies("m", 4), false]);
  });

  test("left rest where nobody consumes, and cross to the one that comes", async () => {
    const { net, client, other } = await privateQueue();
    await client.close();
    await net.run();
    expect(net.depth("a", queue)).toBe(4);
    await other.consume(queue);
    await net.run();
    expect(other.bodies().toSorted()).toEqual(bodies("m", 4));
  });
});
