import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { DemandRecord } from "../../../core/demand/demand.ts";
import { bucketOf, differingBuckets, isForgotten, nextDemand, ownDemand, withBucketBumped } from "../../../core/demand/publish.ts";
import { brokerId } from "../../../core/ids.ts";
import { aGroup } from "../../support/a-connector.ts";
import { sha256 } from "../../support/hash.ts";

const key = "queue://orders";
const day = 24 * 3_600_000;
const record = (fields: Partial<DemandRecord> = {}): DemandRecord => ({
  destination: key,
  version: 10,
  groups: [],
  announced: 10,
  ...fields,
});

describe("nextDemand", () => {
  test.for([
    { rule: "nothing was wanted and nothing is: nothing to write", stored: undefined, groups: [], now: 50, version: undefined },
    { rule: "the clock is the first version", stored: undefined, groups: [aGroup("")], now: 50, version: 50 },
    { rule: "the same demand keeps its version", stored: record({ groups: [aGroup("")] }), groups: [aGroup("")], now: 50, version: 10 },
    {
      rule: "the same in another order, too",
      stored: record({ groups: [aGroup("b"), aGroup("")] }),
      groups: [aGroup(""), aGroup("b")],
      now: 50,
      version: 10,
    },
    {
      rule: "another count is another demand",
      stored: record({ groups: [aGroup("")] }),
      groups: [aGroup("", { count: 2 })],
      now: 50,
      version: 50,
    },
    {
      rule: "another moment since which no durable subscription has had a subscriber, too",
      stored: record({ groups: [aGroup("", { durable: {} })] }),
      groups: [aGroup("", { durable: { offlineSince: 40 } })],
      now: 50,
      version: 50,
    },
    {
      rule: "another selector, too",
      stored: record({ groups: [aGroup("", { selectors: ["kind = 'x'"] })] }),
      groups: [aGroup("", { selectors: ["kind = 'y'"] })],
      now: 50,
      version: 50,
    },
    { rule: "a clock that went back can't lower a version", stored: record(), groups: [aGroup("")], now: 3, version: 11 },
    { rule: "withdrawn demand is a version, too", stored: record({ groups: [aGroup("")] }), groups: [], now: 50, version: 50 },
  ])("$rule", ({ stored, groups, now, version }) => {
    expect(nextDemand(stored, key, groups, now)?.version).toBe(version);
  });

  test("a new version isn't announced yet", () => {
    expect(nextDemand(record(), key, [aGroup("")], 50)).toMatchObject({ version: 50, announced: 10 });
  });
});

describe("isForgotten", () => {
  test.for([
    { rule: "withdrawn demand stays a day", demand: record(), now: 10 + day, forgotten: false },
    { rule: "then it goes", demand: record(), now: 11 + day, forgotten: true },
    { rule: "what was never announced stays", demand: record({ announced: 9 }), now: 11 + day, forgotten: false },
    { rule: "what is wanted stays", demand: record({ groups: [aGroup("")] }), now: 11 + day, forgotten: false },
  ])("$rule", ({ demand, now, forgotten }) => {
    expect(isForgotten(demand, now)).toBe(forgotten);
  });
});

describe("differingBuckets", () => {
  const theirs = { tableId: "t1", buckets: { a0: 3, "0b": 1 } };
  test.for([
    { rule: "all that was never applied", applied: undefined, expected: ["0b", "a0"] },
    { rule: "none after all were", applied: theirs, expected: [] },
    { rule: "the ones with another version", applied: { ...theirs, buckets: { a0: 2, "0b": 1 } }, expected: ["a0"] },
    { rule: "a lower version than applied differs, too", applied: { ...theirs, buckets: { a0: 4, "0b": 1 } }, expected: ["a0"] },
    { rule: "all of a restored table", applied: { ...theirs, tableId: "t0" }, expected: ["0b", "a0"] },
  ])("$rule", ({ applied, expected }) => {
    expect(differingBuckets(theirs, applied)).toEqual(expected);
  });

  test("a bumped bucket differs and no other", () => {
    fc.assert(
      fc.property(fc.dictionary(fc.stringMatching(/^[0-9a-f]{2}$/), fc.nat()), fc.stringMatching(/^[0-9a-f]{2}$/), (buckets, bumped) => {
        const root = { tableId: "t1", buckets };
        expect(differingBuckets(withBucketBumped(root, bumped, "t1"), root)).toEqual([bumped]);
      }),
    );
  });
});

test("a bucket is the first byte of the destination's SHA-256", () => {
  expect(bucketOf(key, sha256)).toBe(sha256(key).slice(0, 2));
});

describe("a broker's own clients are", () => {
  const self = brokerId("a");
  const present = (priority: number, count: number, selector?: string) => ({
    holder: "x",
    destination: key,
    priority,
    count,
    ...(selector && { selector }),
  });

  test("one group per priority, the highest first", () => {
    expect(ownDemand(self, [present(0, 2), present(5, 1), present(0, 3)], 0)).toEqual([
      { origin: "a", group: "priority 5", path: [], priority: 5, count: 1 },
      { origin: "a", group: "priority 0", path: [], priority: 0, count: 5 },
    ]);
  });

  test("one per selector, too", () => {
    expect(ownDemand(self, [present(0, 1, "kind = 'x'"), present(0, 1), present(0, 1, "kind = 'x'")], 0)).toEqual([
      { origin: "a", group: "priority 0 where kind = 'x'", path: [], priority: 0, count: 2, selectors: ["kind = 'x'"] },
      { origin: "a", group: "priority 0", path: [], priority: 0, count: 1 },
    ]);
  });

  test.for([
    { rule: "one that has a subscriber", leases: [50, 200], now: 100, durable: {} },
    { rule: "of those without, the last that had one", leases: [50, 90, 70], now: 100, durable: { offlineSince: 90 } },
  ])("durable subscriptions are a group of their own, and say when they had a subscriber: $rule", ({ leases, now, durable }) => {
    const key = { clientID: "c", subscriptionName: "n" };
    const durables = leases.map((leaseUntil) => ({ ...present(0, 1), durable: key, leaseUntil }));
    expect(ownDemand(self, [present(0, 1), ...durables], now)).toEqual([
      { origin: "a", group: "priority 0", path: [], priority: 0, count: 1 },
      { origin: "a", group: "durable priority 0", path: [], priority: 0, count: leases.length, durable },
    ]);
  });

  test("one for all selectors, wanting everything, where they are more than 64", () => {
    const many = (n: number) => Array.from({ length: n }, (_, index) => present(0, 1, `n = ${index}`));
    expect(ownDemand(self, many(64), 0)).toHaveLength(64);
    expect(ownDemand(self, many(65), 0)).toEqual([{ origin: "a", group: "priority 0", path: [], priority: 0, count: 65 }]);
  });

  test("one for all selectors, wanting everything, where they have more than 8,000 characters together", () => {
    const long = (count: number) => Array.from({ length: count }, (_, n) => present(0, 1, `kind = '${`${n}`.padStart(1_600 - 9, "x")}'`));
    expect([5, 6].map((count) => ownDemand(self, long(count), 0).length)).toEqual([5, 1]);
  });
});
