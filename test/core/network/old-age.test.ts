import { expect, test } from "vitest";
import { bodies, type SimulatedNetwork, simulate } from "../../support/simulator/network.ts";
import { networkOf, pair } from "../../support/simulator/topologies.ts";

const hour = 3_600_000;
const day = 24 * hour;
const queue = "queue://orders";

/** Brokers whose ticks come by the hour: a scenario takes weeks, and SQS (as ours in memory) keeps a message for 14 days. */
const longLived = (brokers = {}): Promise<SimulatedNetwork> => simulate(networkOf(pair, {}, { brokers }), { tickEvery: hour });

const readerAt = async (net: SimulatedNetwork, at: string) => {
  const reader = net.connect(at);
  await reader.consume(queue);
  await net.run();
  return reader;
};

test("what nobody wants for 20 days is there when somebody comes, once", async () => {
  const net = await longLived();
  for (let n = 0; n < 20; n += 1) {
    net.send("a", queue, bodies(`day${n}`, 3));
    await net.run(day);
  }
  const reader = await readerAt(net, "a");
  const sent = Array.from({ length: 20 }, (_, n) => bodies(`day${n}`, 3)).flat();
  expect(reader.bodies().toSorted()).toEqual(sent.toSorted());
  expect(Math.max(...reader.received.map(({ message }) => message.copies))).toBe(2);
  expect(net.problems()).toEqual([]);
});

test("what producers sent straight to a queue whose consumer is away for 20 days is there, with its id and time", async () => {
  const net = await longLived({ a: { consumers: [{ destination: queue }] } });
  const sentAt = net.now();
  net.sendDirect("a", queue, ["m"]);
  await net.run(20 * day);
  const { message } = (await readerAt(net, "a")).received[0] ?? {};
  expect([message?.body, message?.timestamp]).toEqual([{ type: "text", text: "m" }, sentAt]);
});

test("a message that a consumer had in hand while a carry-over came by is caught by the next", async () => {
  const net = await longLived({ a: { consumers: [{ destination: queue }] } });
  const { arn } = net.broker("a").where.queueOf({ to: "queue", destination: { kind: "queue", name: "orders" } });
  net.sendDirect("a", queue, ["held", "free"]);
  await net.run(7 * day - 6 * hour);
  net.cloud.queues.receive(arn, 1, 12 * hour);
  await net.run(day);
  expect(net.cloud.queues.depth(arn)?.visible).toBe(2);
  await net.run(13 * day);
  expect((await readerAt(net, "a")).bodies().toSorted()).toEqual(["free", "held"]);
});

test("what a durable subscription gathers for 20 days is there, with its id, once", async () => {
  const net = await longLived();
  const durable = { clientID: "billing", subscriptionName: "audit" };
  const subscribe = async () => {
    const client = net.connect("a");
    await client.consume("topic://prices", { durable });
    await net.run();
    return client;
  };
  await (await subscribe()).close();
  net.publish("a", "topic://prices", bodies("m", 3));
  await net.run(20 * day);
  const { received } = await subscribe();
  expect(received.map(({ message }) => message.body)).toEqual(bodies("m", 3).map((text) => ({ type: "text", text })));
  expect(net.problems()).toEqual([]);
});

test("what waits for a peer that is away for 20 days reaches it when it is back, once", async () => {
  const net = await longLived();
  const away = await readerAt(net, "b");
  net.hush("a", "b", "hangs");
  net.send("a", queue, bodies("m", 3));
  await net.run(60_000);
  net.cut("a", "b");
  net.hush("a", "b");
  away.goSilent();
  await net.run(20 * day);
  net.heal("a", "b");
  await net.run(3 * hour);
  expect((await readerAt(net, "b")).bodies().toSorted()).toEqual(bodies("m", 3));
  expect(net.problems()).toEqual([]);
});

test("a queue that is seen empty now and then isn't carried over", async () => {
  const net = await longLived();
  const reader = await readerAt(net, "a");
  for (let n = 0; n < 10; n += 1) {
    net.send("a", queue, [`m${n}`]);
    await net.run(2 * day);
    await reader.renew();
  }
  expect((await net.broker("a").brain.read("pass", "", queue))?.value.carryOver).toBeUndefined();
});

test("nor is what a live consumer with a queue of its own leaves there for 20 days lost", async () => {
  const net = await longLived();
  const idle = net.connect("a");
  idle.pause();
  await idle.consume(queue, { prefetchSize: 5 });
  await net.run(1_000);
  net.send("a", queue, bodies("m", 3));
  const twoMinutes = 120_000; // within its lease
  for (let passed = 0; passed < 20 * day; passed += twoMinutes) {
    await idle.renew();
    await net.run(twoMinutes);
  }
  expect(net.privateDepth("a", idle.connection, "c1")).toBe(3);
});
