import { describe, expect, test } from "vitest";
import { cachedViews } from "../../aws/cached-views.ts";
import type { BrokerItem } from "../../core/broker/records.ts";
import type { Brain } from "../../core/ports.ts";
import type { DestinationView } from "../../core/routing/view.ts";
import { memoryBrain } from "../support/memory/brain.ts";

const view = (name: string, readyAt = 0): DestinationView => ({
  destination: { kind: "queue", name },
  candidates: [],
  localSubscribers: false,
  readyAt,
  changedAt: 0,
});

/** Views over a brain whose reads are counted, and a clock to turn. */
const observed = (brain: Brain = memoryBrain()) => {
  const clock = { now: 0 };
  const reads: string[] = [];
  const counting: Brain = {
    ...brain,
    read: (kind, scope, id) => {
      reads.push(id);
      return brain.read(kind, scope, id);
    },
  };
  return { brain, clock, reads, views: cachedViews(counting, () => clock.now, 1_000) };
};

describe("cached views", () => {
  test("are none of a FIFO destination: it is read each time", async () => {
    const { brain, reads, views } = observed();
    await brain.write("view", "", "queue://a.fifo", view("a.fifo"), 0);
    for (const _ of [1, 2]) expect((await views.read(["queue://a.fifo"])).size).toBe(1);
    expect(reads).toEqual(["queue://a.fifo", "queue://a.fifo"]);
  });

  test("answer what exists and leave out what doesn't", async () => {
    const { brain, views } = observed();
    await brain.write("view", "", "queue://a", view("a"), 0);
    expect(await views.read(["queue://a", "queue://b"])).toEqual(new Map([["queue://a", view("a")]]));
  });

  test.for([
    { rule: "a view is kept for its life", at: 999, reads: 1, readyAt: 0 },
    { rule: "and read again after it", at: 1_000, reads: 2, readyAt: 7 },
  ])("$rule", async ({ at, reads: expected, readyAt }) => {
    const { brain, clock, reads, views } = observed();
    await brain.write("view", "", "queue://a", view("a"), 0);
    await views.read(["queue://a"]);
    const { revision = 0 } = (await brain.read("view", "", "queue://a")) ?? {};
    await brain.write("view", "", "queue://a", view("a", 7), revision);
    clock.now = at;
    expect((await views.read(["queue://a"])).get("queue://a")?.readyAt).toBe(readyAt);
    expect(reads).toHaveLength(expected);
  });

  test.for([
    { rule: "a miss is kept as long", at: 999, size: 0 },
    { rule: "and no longer", at: 1_000, size: 1 },
  ])("$rule", async ({ at, size }) => {
    const { brain, clock, views } = observed();
    expect((await views.read(["queue://a"])).size).toBe(0);
    await brain.write("view", "", "queue://a", view("a"), 0);
    clock.now = at;
    expect((await views.read(["queue://a"])).size).toBe(size);
  });

  test("those who ask at once share one read", async () => {
    const { reads, views } = observed();
    await Promise.all([views.read(["queue://a", "queue://b"]), views.read(["queue://a"])]);
    expect(reads.sort()).toEqual(["queue://a", "queue://b"]);
  });

  test("a failed read is asked again, not remembered", async () => {
    const answers = [Promise.reject(new Error("throttled")), Promise.resolve(undefined)];
    const { views } = observed({ ...memoryBrain(), read: () => answers.shift() ?? Promise.resolve(undefined) });
    await expect(views.read(["queue://a"])).rejects.toThrow("throttled");
    expect((await views.read(["queue://a"])).size).toBe(0);
  });

  test("the broker item is kept like a view", async () => {
    const { brain, clock, views, reads } = observed();
    const item = (version: number) => ({ version }) as BrokerItem;
    await brain.write("broker", "", "broker", item(1), 0);
    expect((await views.broker()).version).toBe(1);
    const { revision = 0 } = (await brain.read("broker", "", "broker")) ?? {};
    await brain.write("broker", "", "broker", item(2), revision);
    expect((await views.broker()).version).toBe(1);
    clock.now = 1_000;
    expect((await views.broker()).version).toBe(2);
    expect(reads).toHaveLength(2);
  });

  test("without a configuration they say what to do", async () => {
    await expect(observed().views.broker()).rejects.toThrow(/deploy/);
  });
});
