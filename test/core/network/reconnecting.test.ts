import { describe, expect, test } from "vitest";
import type { SimulatedClient } from "../../support/simulator/client.ts";
import { bodies, type SimulatedNetwork, simulate } from "../../support/simulator/network.ts";
import { networkOf, pair } from "../../support/simulator/topologies.ts";

const second = 1_000;
const queue = "queue://TEST.FOO";
const all = 100;

/** A and B as the original has them: a local consumer goes first, what nobody here wants goes back, a policy may limit the rate. */
const network = (rateLimit: number): Promise<SimulatedNetwork> => {
  const filter = { replayWhenNoConsumers: true, rateLimit };
  const destinationPolicies = [{ destination: "queue://>", enableAudit: false, conditionalNetworkBridgeFilterFactory: filter }];
  const brokers = { a: { destinationPolicies }, b: { destinationPolicies } };
  return simulate(networkOf(pair, { decreaseNetworkConsumerPriority: true }, { brokers }));
};

/** Two clients of the queue; either stops when it has as many as it asked for. */
const playOn = async (first: string, rateLimit: number) => {
  const net = await network(rateLimit);
  const other = first === "a" ? "b" : "a";
  const taken = { one: 0, two: 0 };
  const come = async (at: string): Promise<SimulatedClient> => {
    const client = net.connect(at);
    client.pause();
    await client.consume(queue, { prefetchSize: 1 }, { acks: true, delayMs: 50 });
    return client;
  };
  /** Until it has so many more, or all that comes. */
  const take = async (who: "one" | "two", client: SimulatedClient, n = all): Promise<void> => {
    const before = client.received.length;
    client.resume();
    for (let waited = 0; client.received.length - before < n && waited < 600 * second; waited += 50) await net.run(50);
    client.pause();
    taken[who] += client.received.length - before;
  };
  const leave = async (client: SimulatedClient): Promise<void> => {
    await client.close();
    await net.run(second);
  };
  const send = async (): Promise<void> => {
    await net.run();
    net.send(first, queue, bodies("m", all));
    await net.run(second);
  };
  return { net, come: { one: () => come(first), two: () => come(other) }, take, leave, send, taken };
};

describe.for(["a", "b"])("clients of two brokers that reconnect, the first at %s", (first) => {
  test("H1 one that is left alone gets all", async () => {
    const { come, take, leave, send, taken } = await playOn(first, 0);
    const [one, two] = [await come.one(), await come.two()];
    await send();
    await leave(two);
    await take("one", one);
    expect(taken).toEqual({ one: 100, two: 0 });
  });

  test("H2 also after it has reconnected", async () => {
    const { come, take, leave, send, taken } = await playOn(first, 0);
    const [one, two] = [await come.one(), await come.two()];
    await send();
    await take("one", one, 20);
    await leave(one);
    const again = await come.one();
    await leave(two);
    await take("one", again);
    expect(taken).toEqual({ one: 100, two: 0 });
  });

  test("H3 when one disconnects, the other gets the rest", async () => {
    const { come, take, leave, send, taken } = await playOn(first, 80);
    const [one, two] = [await come.one(), await come.two()];
    await send();
    await take("one", one, 20);
    await take("two", two, 20);
    await leave(one);
    await take("two", two);
    expect(taken).toEqual({ one: 20, two: 80 });
  });

  test("H4 when one comes and goes, both get what they ask for", async () => {
    const { come, take, leave, send, taken } = await playOn(first, 20);
    const [one, two] = [await come.one(), await come.two()];
    await send();
    await take("one", one, 20);
    await take("two", two, 20);
    await leave(one);
    await take("two", two, 20);
    const again = await come.one();
    await take("one", again, 20);
    await leave(again);
    await take("two", two);
    expect(taken).toEqual({ one: 40, two: 60 });
  });

  test("H5 when both come and go, nothing is lost between them", async () => {
    const { net, come, take, leave, send, taken } = await playOn(first, 50);
    const [one, two] = [await come.one(), await come.two()];
    await send();
    await take("one", one, 20);
    await take("two", two, 20);
    await leave(one);
    await leave(two);
    const oneAgain = await come.one();
    await take("one", oneAgain, 30);
    await leave(oneAgain);
    const twoAgain = await come.two();
    await take("two", twoAgain);
    expect(taken).toEqual({ one: 50, two: 50 });
    expect([net.depth("a", queue), net.depth("b", queue), net.problems()]).toEqual([0, 0, []]);
  });
});
