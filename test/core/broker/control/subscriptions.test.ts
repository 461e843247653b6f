import fc from "fast-check";
import { describe, expect, test } from "vitest";
import {
  nextLook,
  reconcileSubscriptions,
  type SubscriptionEffect,
  subscriptionId,
} from "../../../../core/broker/control/subscriptions.ts";
import type { SubscriptionRecord } from "../../../../core/broker/records.ts";
import { brokerId, type LinkId, linkId } from "../../../../core/ids.ts";
import type { Stored, SubscriptionTarget } from "../../../../core/ports.ts";

const topic = "topic://prices";
const toB = { to: "link", link: linkId(brokerId("a"), "to-b") } as const;
const own: SubscriptionTarget = { to: "own-queue", queue: "conn.c1" };
const feed: SubscriptionTarget = { to: "feed" };
const stored = (target: SubscriptionTarget, fields: Partial<SubscriptionRecord> = {}): Stored<SubscriptionRecord> => ({
  id: subscriptionId(target),
  revision: 1,
  value: { topic, target, state: "subscribed", arn: "arn", effectiveAt: 0, ...fields },
});
const reconcile = (
  wanted: readonly SubscriptionTarget[],
  existing: readonly Stored<SubscriptionRecord>[],
  now: number,
  closed: readonly LinkId[] = [],
) =>
  reconcileSubscriptions(
    wanted.map((target) => ({ target })),
    existing,
    now,
    new Set(closed),
  );
const effects = (wanted: readonly SubscriptionTarget[], existing: readonly Stored<SubscriptionRecord>[], closed: readonly LinkId[] = []) =>
  reconcile(wanted, existing, 100_000, closed).map(({ effect }) => effect);

describe("reconcileSubscriptions", () => {
  test.for([
    { rule: "what is wanted and isn't there is made", wanted: [toB], existing: [], does: ["subscribe"] },
    { rule: "what is wanted and is there stays", wanted: [toB], existing: [stored(toB)], does: [] },
    { rule: "what was begun is finished", wanted: [toB], existing: [stored(toB, { state: "subscribing" })], does: ["subscribe"] },
    {
      rule: "what is on its way out and wanted again is made anew",
      wanted: [toB],
      existing: [stored(toB, { state: "removing" })],
      does: ["subscribe"],
    },
    { rule: "a link's that nobody wants any more stays for a while", wanted: [], existing: [stored(toB)], does: ["mark-unwanted"] },
    { rule: "so does the feed's, which is the links'", wanted: [], existing: [stored(feed)], does: ["mark-unwanted"] },
    { rule: "a minute later it still stands", wanted: [], existing: [stored(toB, { unwantedSince: 40_001 })], does: [] },
    { rule: "then it goes", wanted: [], existing: [stored(toB, { unwantedSince: 40_000 })], does: ["unsubscribe"] },
    { rule: "wanted again in time it is kept", wanted: [toB], existing: [stored(toB, { unwantedSince: 50_000 })], does: ["keep"] },
    { rule: "a client's own goes at once: nothing is under way to it", wanted: [], existing: [stored(own)], does: ["unsubscribe"] },
    { rule: "an unfinished removal is finished", wanted: [], existing: [stored(toB, { state: "removing" })], does: ["unsubscribe"] },
    {
      rule: "what was begun may be somebody's who is slow",
      wanted: [],
      existing: [stored(toB, { state: "subscribing" })],
      does: ["mark-unwanted"],
    },
    {
      rule: "a minute later nobody is at it any more",
      wanted: [],
      existing: [stored(toB, { state: "subscribing", unwantedSince: 40_000 })],
      does: ["unsubscribe"],
    },
  ])("$rule", ({ wanted, existing, does }) => {
    expect(effects(wanted, existing)).toEqual(does);
  });

  test("a link's whose peer is being destroyed goes at once, another's stays for a while", () => {
    const toC: SubscriptionTarget = { to: "link", link: linkId(brokerId("a"), "to-c") };
    expect(effects([], [stored(toB), stored(toC)], [toB.link])).toEqual(["unsubscribe", "mark-unwanted"]);
  });

  /** What carrying out one effect leaves, as subscribing.ts does it. */
  const applied = (rows: Map<string, Stored<SubscriptionRecord>>, effect: SubscriptionEffect, now: number): void => {
    if (effect.effect === "subscribe") rows.set(subscriptionId(effect.wanted.target), stored(effect.wanted.target));
    else if (effect.effect === "unsubscribe") rows.delete(effect.found.id);
    else if (effect.effect === "mark-unwanted") rows.set(effect.found.id, stored(effect.found.value.target, { unwantedSince: now }));
    else rows.set(effect.found.id, stored(effect.found.value.target));
  };
  const targets = fc.subarray<SubscriptionTarget>([
    toB,
    { to: "link", link: linkId(brokerId("a"), "to-c") },
    own,
    { to: "own-queue", queue: "conn.c2" },
    feed,
  ]);
  const row = (target: SubscriptionTarget) =>
    fc
      .record({
        state: fc.constantFrom("subscribing" as const, "subscribed" as const, "removing" as const),
        since: fc.option(fc.nat(100_000)),
      })
      .map(({ state, since }) => stored(target, { state, ...(since !== null && { unwantedSince: since }) }));
  const histories = targets.chain((held) => fc.tuple(...held.map(row)));

  test("whatever happened before, once the damping is over what exists is what is wanted, and then nothing is left to do", () => {
    fc.assert(
      fc.property(targets, histories, (wanted, history) => {
        const rows = new Map(history.map((one) => [one.id, one]));
        for (const now of [100_000, 160_000]) for (const effect of reconcile(wanted, [...rows.values()], now)) applied(rows, effect, now);
        expect([...rows.keys()].toSorted()).toEqual(wanted.map(subscriptionId).toSorted());
        expect(reconcile(wanted, [...rows.values()], 160_000)).toEqual([]);
      }),
    );
  });

  test("what is wanted is there after one round", () => {
    fc.assert(
      fc.property(targets, histories, (wanted, history) => {
        const rows = new Map(history.map((one) => [one.id, one]));
        for (const effect of reconcile(wanted, [...rows.values()], 100_000)) applied(rows, effect, 100_000);
        for (const target of wanted) expect(rows.get(subscriptionId(target))?.value).toMatchObject({ state: "subscribed" });
      }),
    );
  });
});

describe("nextLook", () => {
  test.for([
    {
      rule: "of one on its way out that SNS couldn't be asked about, after a minute",
      fields: { state: "removing" as const, effectiveAt: 0 },
      at: 160_000,
    },
    { rule: "nothing is running", fields: {}, at: undefined },
    { rule: "a grace is running", fields: { effectiveAt: 105_000 }, at: 105_000 },
    { rule: "a damping is running", fields: { unwantedSince: 90_000 }, at: 150_000 },
    { rule: "the earlier of both", fields: { effectiveAt: 105_000, unwantedSince: 90_000 }, at: 105_000 },
    { rule: "who may be slow is over by then", fields: { doubtedFrom: 130_000 }, at: 130_000 },
    { rule: "what is over needs no look", fields: { effectiveAt: 99_000, unwantedSince: 1_000 }, at: undefined },
  ])("$rule", ({ fields, at }) => {
    expect(nextLook([stored(toB, fields)], 100_000)).toBe(at);
  });
});
