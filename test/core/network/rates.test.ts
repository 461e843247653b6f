import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { bodies, type SimulatedNetwork, simulate } from "../../support/simulator/network.ts";
import { type Connector, networkOf, star } from "../../support/simulator/topologies.ts";

const second = 1_000;
const queue = "queue://TEST.FOO";

/** `a` limits what it forwards of its queues. */
const limitedTo = (rateLimit: number, rateDuration: number, connector: Connector = {}, ways = "a -> b"): Promise<SimulatedNetwork> => {
  const destinationPolicies = [{ destination: "queue://>", conditionalNetworkBridgeFilterFactory: { rateLimit, rateDuration } }];
  return simulate(networkOf(ways, connector, { brokers: { a: { destinationPolicies } } }));
};
const readerAt = async (net: SimulatedNetwork, at: string, options: object = {}, delayMs = 0) => {
  const reader = net.connect(at);
  await reader.consume(queue, options, { acks: true, ...(delayMs > 0 && { delayMs }) });
  await net.run();
  return reader;
};

describe("REP-4 a rate limit", () => {
  test("lets so many cross in one window; the rest moves by itself, window by window, in the order it came", async () => {
    const net = await limitedTo(5, 10 * second);
    const reader = await readerAt(net, "b");
    net.send("a", queue, bodies("m", 17));
    const got: number[] = [];
    await net.run(9 * second);
    for (let window = 0; window < 5; window += 1) {
      got.push(reader.received.length);
      await net.run(10 * second);
    }
    expect(got).toEqual([5, 10, 15, 17, 17]);
    expect(reader.bodies()).toEqual(bodies("m", 17));
    expect([net.depth("a", queue), net.problems()]).toEqual([0, []]);
  });

  test("counts messages that cross, not looks at them: a window that opens late is as large", async () => {
    const net = await limitedTo(5, 10 * second);
    const reader = await readerAt(net, "b");
    net.send("a", queue, bodies("m", 5));
    await net.run(25 * second);
    net.send("a", queue, bodies("n", 5));
    await net.run(second);
    expect(reader.bodies()).toEqual([...bodies("m", 5), ...bodies("n", 5)]);
  });

  test("of 0 is none", async () => {
    const net = await limitedTo(0, 10 * second);
    const reader = await readerAt(net, "b");
    net.send("a", queue, bodies("m", 50));
    await net.run(second);
    expect(reader.received.length).toBe(50);
  });

  test("holds for each link and each destination by itself", async () => {
    const net = await limitedTo(5, 60 * second, {}, star(3));
    const [b, c] = [await readerAt(net, "b"), await readerAt(net, "c")];
    const another = net.connect("b");
    await another.consume("queue://ANOTHER");
    await net.run();
    net.send("a", queue, bodies("m", 40));
    net.send("a", "queue://ANOTHER", bodies("m", 40));
    await net.run(10 * second);
    expect([b, c, another].map(({ received }) => received.length)).toEqual([5, 5, 5]);
  });

  test("longer than an event can wait ends at a tick", async () => {
    const net = await limitedTo(5, 3_600 * second);
    const reader = await readerAt(net, "b");
    net.send("a", queue, bodies("m", 12));
    await net.run(3_599 * second);
    expect(reader.received.length).toBe(5);
    await net.run(120 * second);
    expect(reader.received.length).toBe(10);
  });

  test("keeps what comes behind what waits", async () => {
    const net = await limitedTo(5, 2 * second);
    const reader = await readerAt(net, "b");
    for (const body of bodies("m", 30)) {
      net.send("a", queue, [body]);
      await net.run(100);
    }
    await net.run(60 * second);
    expect(reader.bodies()).toEqual(bodies("m", 30));
  });

  test("keeps the order of a FIFO queue's groups", async () => {
    const fifo = "queue://orders.fifo";
    const destinationPolicies = [{ destination: "queue://>", rateLimit: 5, rateDuration: 10 * second }];
    const declared = { queues: ["orders.fifo"] };
    const net = await simulate(networkOf("a -> b", {}, { brokers: { a: { ...declared, destinationPolicies }, b: declared } }));
    const reader = net.connect("b");
    await reader.consume(fifo);
    await net.run();
    const groups = ["x", "y", "z"];
    for (let round = 0; round < 6; round += 1) {
      net.sendInOrder(
        "a",
        fifo,
        groups.map((group) => `${group}-${round}`),
      );
      await net.run(3 * second);
    }
    expect(reader.received.length).toBeLessThanOrEqual(10);
    await net.run(300 * second);
    for (const group of groups) expect(reader.bodies().filter((body) => body.startsWith(group))).toEqual(bodies(group, 6));
    expect(net.problems()).toEqual([]);
  });
});

describe("QUE-10 what waits for a rate's next window holds up nothing that waits for something else:", () => {
  const kind = (value: string) => ({ properties: { kind: { type: "string", value } } }) as const;
  const wanting = (value: string) => ({ selector: `kind = '${value}'` });
  /** A hundred messages of kind x wait for b, one in half a minute. */
  const waiting = async (ways: string) => {
    const net = await limitedTo(1, 30 * second, {}, ways);
    await readerAt(net, "b", wanting("x"));
    net.send("a", queue, bodies("x", 100), kind("x"));
    await net.run(60 * second);
    return net;
  };

  test("of its queue, what a consumer who comes takes", async () => {
    const net = await waiting("a -> b");
    net.send("a", queue, bodies("y", 3), kind("y"));
    await net.run(60 * second);
    expect((await readerAt(net, "a", wanting("y"))).bodies()).toEqual(bodies("y", 3));
  });

  test("of its queue, what another link gets", async () => {
    const net = await waiting("a -> b, a -> c");
    const other = await readerAt(net, "c", wanting("y"));
    net.send("a", queue, bodies("y", 3), kind("y"));
    await net.run(120 * second);
    expect(other.bodies()).toEqual(bodies("y", 3));
  });

  test("of its link, what is parked there, and another topic with windows of its own", async () => {
    const policy = (name: string, rateLimit: number, rateDuration: number) => ({ destination: `topic://${name}`, rateLimit, rateDuration });
    const destinationPolicies = [policy("slow", 1, 60 * second), policy("fast", 5, second)];
    const net = await simulate(networkOf("a -> b", {}, { brokers: { a: { topics: ["slow", "fast"], destinationPolicies } } }));
    const reader = await readerAt(net, "b");
    await reader.consume("topic://slow");
    await reader.consume("topic://fast");
    await net.run();
    net.publish("a", "topic://slow", bodies("slow", 200));
    await net.run(60 * second);
    net.hush("a", "b", "hangs");
    net.send("a", queue, bodies("parked", 3));
    await net.run(10 * second);
    net.hush("a", "b");
    net.publish("a", "topic://fast", bodies("fast", 60));
    await net.run(180 * second);
    const got = (prefix: string) => reader.bodies().filter((body) => body.startsWith(prefix)).length;
    expect([got("parked"), got("fast")]).toEqual([3, 60]);
  });
});

describe("QUE-5 a modestly quick consumer here beside one of equal priority abroad", () => {
  /** A message each 100 ms for ten seconds, to a consumer here that takes 120 ms for one. */
  const shares = async (rateLimit: number) => {
    const net = await limitedTo(rateLimit, second);
    const [here, there] = [await readerAt(net, "a", {}, 120), await readerAt(net, "b")];
    for (const body of bodies("m", 100)) {
      net.send("a", queue, [body]);
      await net.run(100);
    }
    await net.run(60 * second);
    return [here.received.length, there.received.length];
  };

  test("gets its half without a limit", async () => {
    expect(await shares(0)).toEqual([50, 50]);
  });

  test("isn't starved: with a limit of 1 a second it gets all else", async () => {
    const [here = 0, there = 0] = await shares(1);
    expect(here + there).toBe(100);
    expect(there).toBeGreaterThanOrEqual(9);
    expect(there).toBeLessThanOrEqual(11);
  });
});

test("REP-4 whoever sends when, no window takes more than its limit, and all that was sent comes", async () => {
  const bursts = fc.array(fc.record({ messages: fc.integer({ min: 1, max: 12 }), pause: fc.integer({ min: 0, max: 4_000 }) }), {
    minLength: 1,
    maxLength: 8,
  });
  const limits = { rateLimit: fc.integer({ min: 1, max: 6 }), rateDuration: fc.integer({ min: 200, max: 5_000 }) };
  await fc.assert(
    fc.asyncProperty(bursts, limits.rateLimit, limits.rateDuration, async (sends, rateLimit, rateDuration) => {
      const net = await limitedTo(rateLimit, rateDuration);
      const reader = await readerAt(net, "b");
      const arrivals: number[] = [];
      const until = async (ms: number) => {
        for (let waited = 0; waited < ms; waited += 100) {
          await net.run(Math.min(100, ms - waited));
          arrivals.push(...Array.from({ length: reader.received.length - arrivals.length }, () => net.now()));
        }
      };
      for (const [index, { messages, pause }] of sends.entries()) {
        net.send("a", queue, bodies(`m${index}`, messages));
        await until(pause);
      }
      const sent = sends.reduce((sum, { messages }) => sum + messages, 0);
      await until((sent / rateLimit + 2) * (rateDuration + 2_000));
      expect(arrivals.length).toBe(sent);
      // Windows open with a message, one after the other: two of them can't hold more than twice the limit.
      const within = arrivals.map((at) => arrivals.filter((other) => other >= at && other < at + rateDuration - 100).length);
      expect(Math.max(...within)).toBeLessThanOrEqual(2 * rateLimit);
    }),
    { numRuns: 15 },
  );
});

describe("REP-4 a rate limit of topics", () => {
  const topic = "topic://PRICES";
  const limited = (rateLimit: number, rateDuration: number) => ({
    topics: ["PRICES"],
    destinationPolicies: [{ destination: "topic://>", rateLimit, rateDuration }],
  });

  test("lets so many cross in one window; none is lost, and subscribers here get all at once", async () => {
    const net = await simulate(networkOf("a -> b", {}, { brokers: { a: limited(5, 10 * second) } }));
    const [here, there] = [net.connect("a"), net.connect("b")];
    await here.consume(topic);
    await there.consume(topic);
    await net.run();
    net.publish("a", topic, bodies("m", 17));
    const got: number[] = [];
    await net.run(9 * second);
    expect(here.received.length).toBe(17);
    for (let window = 0; window < 5; window += 1) {
      got.push(there.received.length);
      await net.run(10 * second);
    }
    expect(got).toEqual([5, 10, 15, 17, 17]);
    expect(there.bodies().toSorted()).toEqual(bodies("m", 17).toSorted());
    expect(net.problems()).toEqual([]);
  });

  test("holds at a broker in the middle, for what came over a link", async () => {
    const net = await simulate(networkOf("a -> b, b -> c", { networkTTL: 2 }, { brokers: { b: limited(5, 60 * second) } }));
    const [there, further] = [net.connect("b"), net.connect("c")];
    await there.consume(topic);
    await further.consume(topic);
    await net.run();
    net.publish("a", topic, bodies("m", 12));
    await net.run(30 * second);
    expect([there.received.length, further.received.length]).toEqual([12, 5]);
    await net.run(180 * second);
    expect(further.bodies().toSorted()).toEqual(bodies("m", 12).toSorted());
  });

  test("loses nothing when it comes and goes", async () => {
    const network = (broker: object) => networkOf("a -> b", {}, { brokers: { a: { topics: ["PRICES"], ...broker } } });
    const net = await simulate(network({}));
    const there = net.connect("b");
    await there.consume(topic);
    await net.run();
    const sent: string[] = [];
    const publishFor = async (seconds: number) => {
      for (let each = 0; each < seconds; each += 2) {
        sent.push(`m-${sent.length}`);
        net.publish("a", topic, sent.slice(-1));
        await net.run(2 * second);
      }
    };
    await publishFor(20);
    expect(await net.redeploy("a", network(limited(3, 10 * second)))).toBeUndefined();
    await publishFor(200);
    expect(await net.redeploy("a", network({}))).toBeUndefined();
    await publishFor(200);
    await net.run(600 * second);
    expect(there.bodies().toSorted()).toEqual(sent.toSorted());
  });

  test("keeps the order of a FIFO topic's groups", async () => {
    const fifo = "topic://prices.fifo";
    const broker = { topics: ["prices.fifo"] };
    const destinationPolicies = [{ destination: "topic://>", rateLimit: 4, rateDuration: 10 * second }];
    const net = await simulate(networkOf("a -> b", {}, { brokers: { a: { ...broker, destinationPolicies }, b: broker } }));
    const reader = net.connect("b");
    await reader.consume(fifo);
    await net.run();
    for (let round = 0; round < 8; round += 1) {
      net.publishInOrder("a", fifo, [`x-${round}`, `y-${round}`]);
      await net.run(second);
    }
    expect(reader.received.length).toBeLessThanOrEqual(8);
    await net.run(300 * second);
    for (const group of ["x", "y"]) expect(reader.bodies().filter((body) => body.startsWith(group))).toEqual(bodies(group, 8));
    expect(net.problems()).toEqual([]);
  });

  test("keeps what comes behind what waits", async () => {
    const net = await simulate(networkOf("a -> b", {}, { brokers: { a: limited(5, 10 * second) } }));
    const there = net.connect("b");
    await there.consume(topic);
    await net.run();
    for (const body of bodies("m", 40)) {
      net.publish("a", topic, [body]);
      await net.run(second);
    }
    await net.run(240 * second);
    const overtaken = there.bodies().filter((body, index, all) => index > 0 && Number(body.slice(2)) < Number(all[index - 1]?.slice(2)));
    expect([there.received.length, overtaken.length]).toEqual([40, 0]);
  });
});
