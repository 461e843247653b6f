import { describe, expect, test } from "vitest";
import type { SimulatedClient } from "../../support/simulator/client.ts";
import { bodies, type SimulatedNetwork, simulate } from "../../support/simulator/network.ts";
import { type Connector, chain, networkOf, pair } from "../../support/simulator/topologies.ts";

const queue = "queue://TEST.FOO";
const minute = 60_000;

/** Messages that say of which kind they are, by property and by body. */
const send = (net: SimulatedNetwork, at: string, kind: string, count: number, to = queue): void =>
  net.send(at, to, bodies(kind, count), { properties: { kind: { type: "string", value: kind }, size: { type: "int", value: count } } });
const consumer = async (net: SimulatedNetwork, at: string, selector?: string, to = queue): Promise<SimulatedClient> => {
  const client = net.connect(at);
  await client.consume(to, selector === undefined ? {} : { selector });
  await net.run();
  return client;
};
const wanting = (kind: string): string => `kind = '${kind}'`;
const networkThat = (ways: string, connector: Connector = {}, policy: object = {}) => {
  const destinationPolicies = [{ destination: "queue://>", ...policy }];
  const brokers = Object.fromEntries(["a", "b", "c"].filter((id) => ways.includes(id)).map((id) => [id, { destinationPolicies }]));
  return simulate(networkOf(ways, connector, { brokers }));
};
const passOf = async (net: SimulatedNetwork, at: string) => (await net.broker(at).brain.read("pass", "", queue))?.value.pass;

describe("of a queue's messages", () => {
  test("each goes to whom its selector takes it, and one that nobody takes stops no other", async () => {
    const net = await networkThat(pair);
    const [x, y] = [await consumer(net, "a", wanting("x")), await consumer(net, "a", wanting("y"))];
    for (const kind of ["z", "x", "z", "y"]) send(net, "a", kind, 3);
    await net.run();
    expect([x.bodies(), y.bodies(), net.depth("a", queue)]).toEqual([bodies("x", 3), bodies("y", 3), 6]);
  });

  test("those that wait go to the next that wants them, in one pass", async () => {
    const net = await networkThat(pair);
    await consumer(net, "a", wanting("x"));
    for (const kind of ["z", "y"]) send(net, "a", kind, 30);
    await net.run();
    const late = await consumer(net, "a", wanting("y"));
    expect([late.bodies().toSorted(), net.depth("a", queue)]).toEqual([bodies("y", 30).toSorted(), 30]);
  });

  test("those that nobody wants aren't looked at over and over", async () => {
    const net = await networkThat(pair);
    await consumer(net, "a", wanting("x"));
    send(net, "a", "z", 30);
    await net.run(10 * minute);
    const before = await passOf(net, "a");
    await net.run(60 * minute);
    expect(await passOf(net, "a")).toBe(before);
  });

  test("those in the private queue of a consumer that left go to others that want them, or rest", async () => {
    const net = await networkThat(pair);
    const gone = await consumer(net, "a", "kind IN ('x', 'y')");
    gone.pause();
    for (const kind of ["x", "y"]) send(net, "a", kind, 5);
    await net.run();
    const y = await consumer(net, "a", wanting("y"));
    await gone.close();
    await net.run(30 * minute);
    expect([y.bodies().toSorted(), net.depth("a", queue)]).toEqual([bodies("y", 5).toSorted(), 5]);
  });

  test("those that several want are shared exactly among these", async () => {
    const net = await networkThat(pair, { conduitSubscriptions: false });
    const here = { x: await consumer(net, "a", wanting("x")), all: await consumer(net, "a", "TRUE") };
    const there = { xy: await consumer(net, "b", "kind IN ('x', 'y')"), x: await consumer(net, "b", wanting("x")) };
    for (let n = 0; n < 8; n += 1) for (const kind of ["x", "y"]) send(net, "a", kind, 1);
    await net.run();
    const got = ({ received }: SimulatedClient) =>
      ["x", "y"].map((kind) => received.filter(({ message }) => message.body.type === "text" && message.body.text.startsWith(kind)).length);
    expect([here.x, here.all].map(got)).toEqual([
      [2, 0],
      [2, 4],
    ]);
    expect([there.xy, there.x].map(got).map(([x = 0, y]) => [x > 0, y])).toEqual([
      [true, 4],
      [true, 0],
    ]);
    expect(there.xy.received.length + there.x.received.length).toBe(8);
  });
});

describe("what crosses a link to a queue's consumers with selectors", () => {
  /** What b's consumers of x and y got, and what waits at a and at b, after five of x, y and z each were sent at a. */
  const crossed = async (connector: Connector, ...others: readonly (readonly [at: string, selector?: string])[]) => {
    const net = await networkThat(chain(2), connector);
    const [x, y] = [await consumer(net, "b", wanting("x")), await consumer(net, "b", wanting("y"))];
    for (const [at, selector] of others) await consumer(net, at, selector);
    for (const kind of ["x", "y", "z"]) send(net, "a", kind, 5);
    await net.run();
    return [x.bodies().length, y.bodies().length, net.depth("a", queue), net.depth("b", queue)];
  };

  test.for<{ rule: string; connector: Connector; others?: readonly (readonly [string, string?])[]; got: readonly number[] }>([
    { rule: "with conduit what any of them takes", connector: {}, got: [5, 5, 5, 0] },
    { rule: "CND-5: with conduit that ignores selectors everything", connector: { conduitSelectors: "ignore" }, got: [5, 5, 0, 5] },
    { rule: "DEM-4: without conduit what each takes", connector: { conduitSubscriptions: false }, got: [5, 5, 5, 0] },
    { rule: "what a local consumer refuses, too", connector: {}, others: [["a", wanting("z")]], got: [5, 5, 0, 0] },
  ])("$rule", async ({ connector, others = [], got }) => {
    expect(await crossed(connector, ...others)).toEqual(got);
  });

  test("is everything as soon as one of them wants everything, and no more when he leaves", async () => {
    const net = await networkThat(pair);
    await consumer(net, "b", wanting("x"));
    const all = await consumer(net, "b");
    send(net, "a", "z", 5);
    await net.run();
    expect([all.bodies().length, net.depth("a", queue)]).toEqual([5, 0]);
    await all.close();
    await net.run();
    send(net, "a", "z", 5);
    await net.run();
    expect(net.depth("a", queue)).toBe(5);
  });

  test.for([true, false])("is the same over two links (conduit %s)", async (conduitSubscriptions) => {
    const net = await networkThat(chain(3), { networkTTL: 2, conduitSubscriptions });
    const far = [await consumer(net, "c", wanting("x")), await consumer(net, "c", wanting("y"))];
    const near = await consumer(net, "b", wanting("w"));
    for (const kind of ["w", "x", "y", "z"]) send(net, "a", kind, 5);
    await net.run();
    expect([...far, near].map((client) => client.bodies().length)).toEqual([5, 5, 5]);
    expect(["a", "b", "c"].map((at) => net.depth(at, queue))).toEqual([5, 0, 0]);
  });

  test("is judged at each broker, where two links of conduits meet one without", async () => {
    const conduits = { "b c": { conduitSubscriptions: true } };
    const net = await simulate(networkOf(chain(3), { networkTTL: 2, conduitSubscriptions: false }, { connectors: conduits }));
    const far = [await consumer(net, "c", wanting("x")), await consumer(net, "c", wanting("y"))];
    const [candidate, ...others] = await net.linkCandidates("a", queue);
    expect([candidate, others]).toMatchObject([{ weight: 1, selectors: [wanting("x"), wanting("y")] }, []]);
    for (const kind of ["x", "y", "z"]) send(net, "a", kind, 5);
    await net.run();
    expect([...far.map((client) => client.bodies().length), net.depth("a", queue)]).toEqual([5, 5, 5]);
  });

  test.for([
    { rule: "A3: consumers come after the messages", first: "messages" },
    { rule: "A4: consumers come before the messages", first: "consumers" },
  ])("$rule: each gets its hundred", async ({ first }) => {
    const net = await networkThat("b -> a, b -> c", { conduitSubscriptions: false });
    const come = async () => [await consumer(net, "a", wanting("x")), await consumer(net, "c", wanting("y"))];
    const early = first === "consumers" ? await come() : [];
    for (const kind of ["x", "y"]) send(net, "b", kind, 100);
    await net.run();
    const all = first === "consumers" ? early : await come();
    expect(all.map((client) => client.bodies().length)).toEqual([100, 100]);
  });
});

test("N21 a selector that no filter policy can say (arithmetic, LIKE with ESCAPE) is demand like any other", async () => {
  const net = await networkThat(pair);
  const there = await consumer(net, "b", "size * 2 > 5 AND kind LIKE '!_%' ESCAPE '!'");
  send(net, "a", "_many", 3);
  send(net, "a", "_few", 2);
  send(net, "a", "many", 3);
  await net.run();
  expect([there.bodies(), net.depth("a", queue), net.depth("b", queue)]).toEqual([bodies("_many", 3), 5, 0]);
});

describe("N20 a consumer of a composite behind a conduit", () => {
  const parts = ["queue://Q1", "queue://Q2", "queue://Q3"];
  const demand = async (net: SimulatedNetwork) =>
    Promise.all(parts.map(async (part) => (await net.linkCandidates("a", part)).map(({ weight, selectors }) => [weight, selectors])));

  test.for([undefined, wanting("x")])("is demand for each of its parts, and for no other (selector %s)", async (selector) => {
    const net = await networkThat(pair);
    const all = await consumer(net, "b", selector, "queue://Q1,Q2,Q3");
    const its = [1, selector && [selector]];
    expect(await demand(net)).toEqual([[its], [its], [its]]);
    const one = await consumer(net, "b", selector, "queue://Q2");
    expect(await demand(net)).toEqual([[its], [its], [its]]);
    await all.close();
    await net.run();
    expect(await demand(net)).toEqual([[], [its], []]);
    for (const part of parts) send(net, "a", "x", 2, part);
    await net.run();
    expect([one.bodies().length, ...parts.map((part) => net.depth("a", part))]).toEqual([2, 2, 0, 2]);
  });
});

describe("N22 messages that an earlier demand brought, beside a consumer that refuses them", () => {
  const replayed = async (selectorAware: boolean) => {
    const net = await networkThat(pair, {}, { replayWhenNoConsumers: true, selectorAware });
    const earlier = await consumer(net, "b", wanting("y"));
    earlier.pause();
    await consumer(net, "b", wanting("x"));
    send(net, "a", "y", 5);
    await net.run();
    await earlier.close();
    await net.run();
    const here = await consumer(net, "a", wanting("y"));
    await net.run(5 * minute);
    return [here.bodies().length, net.depth("b", queue)];
  };

  test("go back to whom wants them with selectorAware replay", async () => {
    expect(await replayed(true)).toEqual([5, 0]);
  });

  test("rest without it", async () => {
    expect(await replayed(false)).toEqual([0, 5]);
  });
});

describe("a message that a consumer draws without taking it, as in the original", () => {
  const drawing = { conduitSelectors: "ignore" } as const;

  test.for([
    { rule: "A28: goes back to a plain consumer with selectorAware replay", selectorAware: true, got: ["x-0"], left: 0 },
    { rule: "A29: stays without it", selectorAware: false, got: [], left: 1 },
  ])("$rule", async ({ selectorAware, got, left }) => {
    const net = await networkThat(pair, drawing, { replayWhenNoConsumers: true, selectorAware });
    send(net, "a", "x", 1);
    await consumer(net, "b", wanting("y"));
    expect([net.depth("a", queue), net.depth("b", queue)]).toEqual([0, 1]);
    const plain = await consumer(net, "a");
    expect([plain.bodies(), net.depth("b", queue)]).toEqual([got, left]);
  });

  test("goes to and fro ever more slowly while only such consumers are there", async () => {
    const net = await networkThat(pair, drawing, { replayWhenNoConsumers: true, selectorAware: true });
    for (const at of ["a", "b"]) await consumer(net, at, wanting("y"));
    send(net, "a", "x", 1);
    await net.run(24 * 60 * minute);
    expect(net.crossings("a", "b") + net.crossings("b", "a")).toBeLessThan(50);
    const plain = await consumer(net, "a");
    await net.run(60 * minute);
    expect(plain.bodies()).toEqual(["x-0"]);
  });

  const migrating: Connector = {
    ...drawing,
    messageTTL: -1,
    consumerTTL: 1,
    suppressDuplicateQueueSubscriptions: true,
    decreaseNetworkConsumerPriority: true,
  };
  const around = async (replaying: boolean, last: string) => {
    const net = await networkThat("a <-> b, b <-> c, a <-> c", migrating, { replayWhenNoConsumers: replaying });
    send(net, "a", "x", 1);
    for (const at of ["a", "b", "c"]) {
      const refusing = await consumer(net, at, wanting("y"));
      expect(["a", "b", "c"].map((each) => net.depth(each, queue))).toEqual(["a", "b", "c"].map((each) => (each === at ? 1 : 0)));
      await refusing.close();
      await net.run();
    }
    return (await consumer(net, last)).bodies();
  };

  test("A26: migrates around a triangle and is consumed at the end", async () => {
    expect(await around(false, "c")).toEqual(["x-0"]);
  });

  test("A27: comes back to where it began with replay", async () => {
    expect(await around(true, "a")).toEqual(["x-0"]);
  });
});
