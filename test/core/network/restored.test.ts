import { describe, expect, test } from "vitest";
import { controlBatch } from "../../../core/broker/control/control.ts";
import type { SimulatedClient } from "../../support/simulator/client.ts";
import { bodies, type SimulatedNetwork, simulate } from "../../support/simulator/network.ts";
import { networkOf, pair } from "../../support/simulator/topologies.ts";

const minute = 60_000;
/** What a client's event of some time after the backup says. */
const stateOf = async (net: SimulatedNetwork, { broker, connection }: SimulatedClient) => {
  const stored = await net.broker(broker).brain.read("connection", "", connection);
  return { connection, counter: (stored?.value.counter ?? 0) + 1, consumers: stored?.value.consumers ?? [], closed: false };
};
const queue = "queue://orders";
const topic = "topic://prices";

/** A client at `at` consumes the destination; then a's table is backed up. */
const backedUp = async (at: string, destination: string, network = networkOf(pair)) => {
  const net = await simulate(network);
  const client = net.connect(at);
  const consumer = await client.consume(destination);
  await net.run();
  return { net, client, consumer, restore: net.backUp("a") };
};

describe("N05 a broker whose table was restored from an hour ago", () => {
  test("takes what came to rest here since then where routing would, though its counter knows nothing of it", async () => {
    const net = await simulate(networkOf(pair, {}, { brokers: { a: { queues: ["orders"] } } }));
    const restore = net.backUp("a");
    net.send("a", queue, bodies("m", 3));
    await net.run();
    const idle = net.connect("a");
    idle.pause();
    await idle.consume(queue);
    await net.run();
    restore();
    await net.run();
    const there = net.connect("b");
    await there.consume(queue, { priority: 5 });
    await net.run(10 * minute);
    expect(there.bodies()).toEqual(bodies("m", 3));
  });

  test("subscribes anew what it believes to be subscribed", async () => {
    const { net, client: there, consumer, restore } = await backedUp("b", topic);
    await there.drop(consumer);
    await net.run(5 * minute);
    await there.consume(topic);
    net.cut("a", "b");
    restore();
    net.heal("a", "b");
    await net.run(10 * minute);
    net.publish("a", topic, ["t"]);
    await net.run();
    expect(there.bodies()).toEqual(["t"]);
  });

  test("lets nobody overtake what is parked for a link in order, though its counter knows nothing of it", async () => {
    const declared = { topics: ["prices.fifo"] };
    const network = networkOf(pair, {}, { brokers: { a: declared, b: declared } });
    const { net, client: there, restore } = await backedUp("b", `${topic}.fifo`, network);
    net.hush("a", "b", "hangs");
    net.publishInOrder("a", `${topic}.fifo`, bodies("g", 3));
    await net.run(1_000);
    restore();
    await net.run(2 * minute);
    net.hush("a", "b");
    net.publishInOrder("a", `${topic}.fifo`, ["g-3"]);
    await net.run(10 * minute);
    expect(there.bodies()).toEqual(bodies("g", 4));
  });

  test("keeps the subscription of a client whose announcement of an hour ago comes again", async () => {
    const { net, client: here, restore } = await backedUp("a", topic);
    await net.run(60 * minute);
    restore();
    await net.run(minute);
    const { brain } = net.broker("a");
    const record = { ref: "r", event: { event: "connection", state: await stateOf(net, here) } as const, sentAt: net.now() - 10 * minute };
    await controlBatch({ ...net.broker("a").control, brain }, [record], net.now());
    net.publish("a", topic, ["t"]);
    await net.run();
    expect(here.bodies()).toEqual(["t"]);
  });

  test("keeps the subscription of a client whose lease seems over for an hour, until it could have renewed it", async () => {
    const { net, client: here, restore } = await backedUp("a", topic);
    await net.run(60 * minute);
    while (net.now() % minute !== 1_000) await net.run(1_000);
    restore();
    here.goSilent();
    await net.run(minute + 20_000);
    net.publish("a", topic, ["t"]);
    await here.wake();
    await net.run();
    expect(here.bodies()).toEqual(["t"]);
  });

  test("keeps its peers' subscriptions though their last answers seem an hour old, until they could have answered", async () => {
    const { net, client: there, restore } = await backedUp("b", topic);
    await net.run(61 * minute);
    net.cut("a", "b");
    restore();
    await net.run(3 * minute);
    net.publish("a", topic, ["t"]);
    net.heal("a", "b");
    await net.run();
    expect(there.bodies()).toEqual(["t"]);
  });

  test("tells its peers what it wants now, however much newer what they know seems to them", async () => {
    const net = await simulate(networkOf(pair));
    const restore = net.backUp("b");
    const there = net.connect("b");
    await there.consume(queue);
    await net.run();
    there.goSilent();
    restore();
    await net.run(30 * minute);
    expect(await net.linkCandidates("a", queue)).toEqual([]);
  });

  test("serves what its peer wants since then, and nothing that it wants no more", async () => {
    const { net, client: gone, restore } = await backedUp("b", "queue://gone");
    await gone.close();
    const there = net.connect("b");
    await there.consume(queue);
    await net.run(5 * minute);
    net.send("a", queue, ["m"]);
    await net.run();
    restore();
    await net.run(5 * minute);
    expect([(await net.linkCandidates("a", queue)).length, await net.linkCandidates("a", "queue://gone")]).toEqual([1, []]);
  });
});
