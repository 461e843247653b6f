import { describe, expect, test } from "vitest";
import type { SimulatedClient } from "../../support/simulator/client.ts";
import { bodies, type SimulatedNetwork, simulate } from "../../support/simulator/network.ts";
import { networkOf, pair } from "../../support/simulator/topologies.ts";

/** Scenarios in which messages were once lost or stuck. */
const minute = 60_000;
const queue = "queue://TEST.FOO";

describe("a consumer with queues of its own", () => {
  test("on a queue and a topic at once leaves no message of the queue behind", async () => {
    const net = await simulate(networkOf(pair));
    const both = net.connect("a");
    both.pause();
    await both.consume("queue://x,topic://y", { prefetchSize: 5 });
    await net.run();
    net.send("a", "queue://x", bodies("m", 3));
    await net.run();
    await both.close();
    await net.run(30 * minute);
    const other = net.connect("b");
    await other.consume("queue://x");
    await net.run(10 * minute);
    expect(other.bodies().toSorted()).toEqual(bodies("m", 3));
  });

  /** Sleeps so long that its private queue was found empty once. */
  const nap = async (net: SimulatedNetwork, client: SimulatedClient): Promise<void> => {
    const { brain } = net.broker("a");
    const emptySince = async () => (await brain.read("pass", "", `private|${client.connection}.c1`))?.value.emptySince;
    client.goSilent();
    while ((await emptySince()) === undefined) await net.run(1_000);
  };
  const ownArn = (net: SimulatedNetwork, { connection }: SimulatedClient) =>
    net.broker("a").where.queueOf({ to: "own-queue", queue: `${connection}.c1` }).arn;

  test("that slept, woke and died later with messages in hand loses none of them", async () => {
    const net = await simulate(networkOf(pair));
    const client = net.connect("a");
    await client.consume(queue, { prefetchSize: 5 });
    await net.run();
    await nap(net, client);
    await client.wake();
    await net.run(30 * minute);
    client.pause();
    net.send("a", queue, bodies("m", 3));
    while (net.now() % minute !== 50_000) await net.run(1_000);
    await client.close();
    net.cloud.queues.receive(ownArn(net, client), 10, 30_000);
    await net.run(30 * minute);
    expect(net.depth("a", queue)).toBe(3);
  });

  test("that wakes while its queue is being given up keeps it", async () => {
    const net = await simulate(networkOf(pair));
    const client = net.connect("a");
    await client.consume(queue, { prefetchSize: 5 });
    await net.run();
    await nap(net, client);
    await net.run(50_000);
    await client.wake();
    client.pause();
    await net.run(3_000);
    net.send("a", queue, bodies("m", 3));
    await net.run(30 * minute);
    expect(net.cloud.queues.peek(ownArn(net, client)).length + net.depth("a", queue)).toBe(3);
  });
});
