import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { SimulatedClient } from "../../support/simulator/client.ts";
import { type SimulatedNetwork, simulate } from "../../support/simulator/network.ts";
import { chain, networkOf, pair } from "../../support/simulator/topologies.ts";
import { type Mishap, mischiefOf, mishaps } from "./mischief.ts";

const minute = 60_000;
const queue = "queue://orders.fifo";
const topic = "topic://prices.fifo";
const declaredIn = (ways: string) =>
  Object.fromEntries([..."abc"].filter((id) => ways.includes(id)).map((id) => [id, { queues: ["orders.fifo"], topics: ["prices.fifo"] }]));

const groups = ["g0", "g1", "g2"];
const act = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.record({ act: fc.constant("send" as const), group: fc.constantFrom(...groups), count: fc.integer({ min: 1, max: 12 }) }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      act: fc.constant("hush" as const),
      silence: fc.constantFrom("hangs" as const, "accepts and says nothing" as const),
    }),
  },
  { weight: 1, arbitrary: fc.record({ act: fc.constantFrom("cut" as const, "heal" as const) }) },
  { weight: 2, arbitrary: fc.record({ act: fc.constant("wait" as const), seconds: fc.integer({ min: 1, max: 200 }) }) },
);
type Act = typeof act extends fc.Arbitrary<infer A> ? A : never;
const mishap = fc.oneof({ weight: 4, arbitrary: fc.constant(undefined) }, { weight: 1, arbitrary: fc.constantFrom(...mishaps) });
/** A batch asks once more than a pass: before it begins. */
const goesOn = fc.constantFrom(1, 2, 3, Number.POSITIVE_INFINITY);
const script = fc.array<Mishap | undefined>(mishap, { maxLength: 60, size: "max" });

const play = async (
  net: SimulatedNetwork,
  destination: string,
  to: string,
  acts: readonly Act[],
): Promise<ReadonlyMap<string, string[]>> => {
  const sent = new Map(groups.map((group) => [group, [] as string[]]));
  for (const one of acts) {
    if (one.act === "send") {
      const its = sent.get(one.group) ?? [];
      const more = Array.from({ length: one.count }, (_, n) => `${one.group}-${its.length + n}`);
      its.push(...more);
      net.sendInOrder("a", destination, more);
    } else if (one.act === "hush") net.hush("a", to, one.silence);
    else if (one.act === "cut") net.cut("a", to);
    else if (one.act === "wait") await net.run(one.seconds * 1_000);
    else {
      net.hush("a", to);
      net.heal("a", to);
    }
  }
  return sent;
};

const standing = (net: SimulatedNetwork): string[] =>
  net.cloud.queues
    .arns()
    .filter((arn) => !arn.endsWith("sys-control"))
    .flatMap((arn) => net.cloud.queues.peek(arn).map(({ body }) => `${arn.split(":").at(-1)}: ${body.slice(0, 300)}`))
    .filter((text) => /g\d-/.test(text));

const byGroup = (client: SimulatedClient): ReadonlyMap<string, string[]> =>
  new Map(groups.map((group) => [group, client.bodies().filter((body) => body.startsWith(group))]));

describe("in order, once and all", () => {
  test.for([
    { way: "a queue over one hop", destination: queue, ways: pair, end: "b" },
    { way: "a queue over two hops", destination: queue, ways: chain(3), end: "c" },
    { way: "a topic over one hop", destination: topic, ways: pair, end: "b" },
    { way: "a topic over two hops", destination: topic, ways: chain(3), end: "c" },
    { way: "a queue at home", destination: queue, ways: pair, end: "a" },
  ])("each group arrives by $way, whatever goes wrong on it", async ({ destination, ways, end }) => {
    await fc.assert(
      fc.asyncProperty(fc.array(act, { minLength: 2, maxLength: 14 }), script, goesOn, async (acts, mishaps, often) => {
        const mischief = mischiefOf(mishaps, often);
        const net = await simulate(networkOf(ways, { networkTTL: 2 }, { brokers: declaredIn(ways) }), {
          disturbance: mischief.disturbance,
        });
        mischief.now = net.now;
        const reader = net.connect(end);
        await reader.consume(destination);
        await net.run();
        const sent = await play(net, destination, "b", acts);
        await net.run(5 * minute);
        net.hush("a", "b");
        net.heal("a", "b");
        mischief.end();
        await net.run(40 * minute);
        expect(byGroup(reader)).toEqual(sent);
        expect(standing(net)).toEqual([]);
      }),
      { numRuns: 12 },
    );
  });
});

test.for([
  { way: "a queue at home", destination: queue, end: "a" },
  { way: "a queue over a link", destination: queue, end: "b" },
  { way: "a topic over a link", destination: topic, end: "b" },
])("whichever call dispatch dies after, by $way each message arrives once and in order", async ({ destination, end }) => {
  let deaths = 0;
  for (let calls = 0; calls < 75; calls += 1) {
    const mischief = mischiefOf([...Array<undefined>(calls), "dies after it", ...Array<undefined>(400)]);
    const net = await simulate(networkOf(pair, {}, { brokers: declaredIn(pair) }), { disturbance: mischief.disturbance });
    const reader = net.connect(end);
    await reader.consume(destination);
    await net.run();
    mischief.now = net.now;
    const sent = groups.map((group) => Array.from({ length: 4 }, (_, n) => `${group}-${n}`));
    net.sendInOrder("a", destination, sent.flat());
    await net.run(12 * minute);
    expect([calls, ...byGroup(reader).values()]).toEqual([calls, ...sent]);
    deaths += mischief.deaths();
  }
  expect(deaths).toBeGreaterThan(40);
});

test("of several brokers that consume each group has one, and gets there in order and once, whatever goes wrong", async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(act, { minLength: 2, maxLength: 14 }), script, goesOn, async (acts, mishaps, often) => {
      const mischief = mischiefOf(mishaps, often);
      const ways = "a -> b, a -> c";
      const net = await simulate(networkOf(ways, {}, { brokers: declaredIn(ways) }), { disturbance: mischief.disturbance });
      mischief.now = net.now;
      const readers = ["b", "c"].map((at) => net.connect(at));
      for (const reader of readers) await reader.consume(queue);
      await net.run();
      const sent = await play(net, queue, "b", acts);
      await net.run(5 * minute);
      net.hush("a", "b");
      net.heal("a", "b");
      mischief.end();
      await net.run(40 * minute);
      for (const [group, its] of sent) {
        const got = readers.map((reader) => byGroup(reader).get(group) ?? []);
        expect(got.filter((some) => some.length > 0)).toEqual(its.length > 0 ? [its] : []);
      }
      expect(standing(net)).toEqual([]);
    }),
    { numRuns: 12 },
  );
});

test("what follows a consumer that moves between two brokers five times is consumed once and in order, whatever goes wrong", async () => {
  await fc.assert(
    fc.asyncProperty(script, fc.integer({ min: 1, max: 12 }), goesOn, async (mishaps, count, often) => {
      const mischief = mischiefOf(mishaps, often);
      const policy = { destinationPolicies: [{ destination: "queue://>", replayWhenNoConsumers: true }] };
      const brokers = { a: { queues: ["orders.fifo"], ...policy }, b: { queues: ["orders.fifo"], ...policy } };
      const net = await simulate(networkOf(pair, {}, { brokers }), { disturbance: mischief.disturbance });
      mischief.now = net.now;
      const sent = groups.map((group) => Array.from({ length: count }, (_, n) => `${group}-${n}`));
      net.sendInOrder("a", queue, sent.flat());
      for (const at of ["b", "a", "b", "a", "b"]) {
        const idler = net.connect(at);
        idler.pause();
        await idler.consume(queue);
        await net.run(20 * minute);
        if (at === "b") expect(net.depth("a", queue)).toBe(0);
        await idler.close();
        await net.run(minute);
      }
      mischief.end();
      const reader = net.connect("a");
      await reader.consume(queue);
      await net.run(20 * minute);
      expect([...byGroup(reader).values()]).toEqual(sent);
      expect(standing(net)).toEqual([]);
    }),
    {
      numRuns: 10,
      // A pass of which a link refuses the last one left.
      examples: [[[undefined, "refuses"], 9, Number.POSITIVE_INFINITY]],
    },
  );
});
