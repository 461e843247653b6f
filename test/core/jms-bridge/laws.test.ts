import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { QualityOfService } from "../../../core/carry/quality-of-service.ts";
import { transfer } from "../../../core/jms-bridge/transfer.ts";
import { guardedRuns } from "../../guarantees/guarded-runs.ts";
import { consumerBehindIngress } from "../../support/behind-ingress.ts";
import { bridgeWorld, type TargetMood } from "../../support/bridging.ts";

const ten = Array.from({ length: 10 }, (_, i) => `m${i}`);

/** Ten messages and a handler that dies after one of its steps; then everything runs until nothing is left to do. */
const crashing = async (crashAfter: number, mood: TargetMood, target: "plain" | "ingress") => {
  const bridge = bridgeWorld({ qualityOfServiceMode: "ONCE_AND_ONLY_ONCE", maxReceiveCount: 1_000 });
  const handOn = target === "ingress" ? await consumerBehindIngress(bridge) : undefined;
  for (const body of ten) bridge.send(body);
  Object.assign(bridge.world, { crashAfter, moodOf: () => mood });
  await bridge.poll();
  const diedAfter = bridge.world.crashAfter < 0 ? bridge.steps.at(-1) : undefined;
  Object.assign(bridge.world, { crashAfter: Number.POSITIVE_INFINITY, moodOf: () => "takes" });
  await bridge.runUntil();
  const ids = bridge.idsAt("target");
  const consumed = handOn && (await handOn()).map(({ body }) => (body.type === "text" ? body.text : ""));
  return { diedAfter, bodies: consumed ?? bridge.bodies("target"), ids, left: bridge.left() };
};

/** The same with each step in turn, until none is left to die after. */
const crashingAnywhere = async (mood: TargetMood, target: "plain" | "ingress") => {
  const runs = [await crashing(0, mood, target)];
  while (runs.at(-1)?.diedAfter !== undefined) runs.push(await crashing(runs.length, mood, target));
  return runs;
};

const handedOver = `hand over to ${Array(10).fill("target").join()}`;

describe("J06 a batch of ten whose handler dies after any one of its steps", () => {
  test.for(["takes", "refuses", "hangs"] as const)(
    "arrives, ten and only ten, at a plain target that %s, but through the window bridge-unsettled",
    async (mood) => {
      const runs = await crashingAnywhere(mood, "plain");
      const through: (string | undefined)[] = [];
      for (const { diedAfter, bodies, ids, left } of runs) {
        const isDouble = bodies.length > 10;
        if (isDouble) through.push(diedAfter);
        expect(bodies.toSorted(), `died after: ${diedAfter}`).toEqual(isDouble ? [...ten, ...ten].toSorted() : ten);
        expect([new Set(ids).size, await guardedRuns(ids.map((id) => ({ id, at: 0 }))), left]).toEqual([10, 10, []]);
      }
      // It accepted all ten, and nobody had noted it: neither SQS nor SNS can be asked, but the ids are the same.
      expect(through).toEqual(mood === "takes" ? [handedOver] : []);
    },
  );

  test.for(["takes", "refuses", "hangs", "deaf"] as const)(
    "arrives, ten and only ten, behind the ingress of its broker that %s: there the window is closed",
    async (mood) => {
      const runs = await crashingAnywhere(mood, "ingress");
      for (const { diedAfter, bodies, left } of runs) expect([bodies.toSorted(), left], `died after: ${diedAfter}`).toEqual([ten, []]);
      expect(runs.some(({ diedAfter }) => diedAfter === handedOver)).toBe(true);
      if (mood === "takes" || mood === "deaf") expect(Math.max(...runs.map(({ ids }) => ids.length))).toBe(20);
    },
  );
});

test("J15 of two handlers that get the same message at once one sends", async () => {
  const { world, ports, queues, send, bodies } = bridgeWorld();
  send("hello");
  const copies = queues.receive("source", 1, 1_000) ?? [];
  const both = await Promise.all([transfer(ports, copies, world.now), transfer(ports, copies, world.now)]);
  expect(bodies("target")).toEqual(["hello"]);
  expect(both.flat().map(({ verdict, reason }) => [verdict, reason])).toEqual([
    ["handed-over", undefined],
    ["given-back", "in-progress"],
  ]);
});

test("J15 a second copy of a message that has crossed is dropped", async () => {
  const { world, ports, queues, send, bodies } = bridgeWorld();
  send("hello");
  const copies = queues.receive("source", 1, 1_000) ?? [];
  await transfer(ports, copies, world.now);
  expect(await transfer(ports, copies, world.now)).toMatchObject([{ verdict: "dropped", reason: "duplicate" }]);
  expect(bodies("target")).toEqual(["hello"]);
});

test("C28 a message too large for its target stands once in the dead letters, with reason and origin, though it came twice", async () => {
  const { world, ports, queues, send, bodies } = bridgeWorld();
  send("huge");
  send("good");
  Object.assign(world, { moodOf: (body: string) => (body === "huge" ? "too-large" : "takes") });
  const copies = queues.receive("source", 2, 1_000) ?? [];
  await transfer(ports, copies, world.now);
  await transfer(ports, copies, world.now);
  expect([bodies("dead-letters"), bodies("target")]).toEqual([["huge"], ["good"]]);
  const [letter] = queues.peek("dead-letters");
  expect(JSON.parse(letter?.attributes["SpanMQ.deadLetter"]?.value ?? "{}")).toEqual({
    reason: "too-large",
    why: "too large",
    destination: "bridge audit",
  });
});

/** What befalls the bridge. */
interface Trouble {
  readonly sent: number;
  readonly mood: TargetMood;
  /** Calls until the handler that is at it then dies. */
  readonly crashAfter: number | null;
  readonly minutes: number;
}
const troubles = fc.array(
  fc.record<Trouble>({
    sent: fc.nat({ max: 4 }),
    mood: fc.constantFrom<TargetMood>("takes", "takes", "refuses", "hangs", "deaf"),
    crashAfter: fc.option(fc.nat({ max: 12 })),
    minutes: fc.integer({ min: 0, max: 30 }),
  }),
  { minLength: 1, maxLength: 8 },
);

/** Runs a history, heals everything, and runs until nothing is left to do. */
const historyOf = async (mode: QualityOfService, history: readonly Trouble[]) => {
  const bridge = bridgeWorld({ qualityOfServiceMode: mode, maxReceiveCount: 1_000 });
  const { world } = bridge;
  const sent: string[] = [];
  let crashed = false;
  for (const { sent: count, mood, crashAfter, minutes } of history) {
    for (let i = 0; i < count; i += 1) {
      sent.push(`m${sent.length}`);
      bridge.send(`m${sent.length - 1}`);
    }
    Object.assign(world, { moodOf: () => mood, crashAfter: crashAfter ?? Number.POSITIVE_INFINITY });
    const until = world.now + minutes * 60_000;
    await bridge.runUntil(until);
    crashed ||= world.crashAfter < 0;
    world.now = Math.max(world.now, until);
  }
  Object.assign(world, { moodOf: () => "takes", crashAfter: Number.POSITIVE_INFINITY });
  await bridge.runUntil();
  return { sent, crashed, bodies: bridge.bodies("target"), ids: bridge.idsAt("target"), left: bridge.left(), isOn: world.isOn };
};

describe("after any history of outages and crashes, healed and quiet,", () => {
  test.for(["ONCE_AND_ONLY_ONCE", "DUPLICATES_OK"] as const)(
    "%s has lost nothing, nothing waits anywhere, and the source is on",
    async (mode) => {
      await fc.assert(
        fc.asyncProperty(troubles, async (history) => {
          const { sent, bodies, left, isOn } = await historyOf(mode, history);
          expect([...new Set(bodies)].toSorted()).toEqual(sent.toSorted());
          expect([left, isOn]).toEqual([[], true]);
        }),
      );
    },
  );

  test("ONCE_AND_ONLY_ONCE has as many ids at the target as messages; without a crash or a lost answer each came once", async () => {
    await fc.assert(
      fc.asyncProperty(troubles, async (history) => {
        const { sent, crashed, bodies, ids } = await historyOf("ONCE_AND_ONLY_ONCE", history);
        expect(new Set(ids).size).toBe(sent.length);
        if (!crashed && !history.some(({ mood }) => mood === "deaf")) expect(bodies).toHaveLength(sent.length);
      }),
    );
  });

  test("AT_MOST_ONCE has doubled nothing, crashes or not, and nothing waits anywhere", async () => {
    await fc.assert(
      fc.asyncProperty(troubles, async (history) => {
        const { bodies, left, isOn } = await historyOf("AT_MOST_ONCE", history);
        expect(new Set(bodies).size).toBe(bodies.length);
        expect([left, isOn]).toEqual([[], true]);
      }),
    );
  });
});
