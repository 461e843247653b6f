import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { brokerId, linkId } from "../../../core/ids.ts";
import { isStopped, newLink } from "../../../core/link/link.ts";
import { decideRemoval, type Removal } from "../../../core/link/removal.ts";

const nothing = { undelivered: 0, subscriptions: 0 };
const draining = (quietSince?: number): Removal => ({
  state: "draining",
  left: nothing,
  ...(quietSince !== undefined && { quietSince }),
});

describe("a link that is being removed, quiet when nothing was left for a hundred", () => {
  test.for<{ rule: string; stored?: Removal; left?: Partial<typeof nothing>; now: number; expected: Removal }>([
    { rule: "begins to be quiet when nothing is left", now: 5, expected: draining(5) },
    {
      rule: "drains while messages wait for it",
      left: { undelivered: 2 },
      now: 5,
      expected: { state: "draining", left: { ...nothing, undelivered: 2 } },
    },
    {
      rule: "drains while topics are subscribed",
      left: { subscriptions: 1 },
      now: 5,
      expected: { state: "draining", left: { ...nothing, subscriptions: 1 } },
    },
    { rule: "has been quiet since the first such look", stored: draining(5), now: 104, expected: draining(5) },
    { rule: "stops then", stored: draining(5), now: 105, expected: { state: "stopped", since: 105 } },
    { rule: "stays stopped since then", stored: { state: "stopped", since: 105 }, now: 900, expected: { state: "stopped", since: 105 } },
    {
      rule: "drains anew when something turned up",
      stored: { state: "stopped", since: 105 },
      left: { undelivered: 1 },
      now: 900,
      expected: { state: "draining", left: { ...nothing, undelivered: 1 } },
    },
    { rule: "is quiet from the beginning after that", stored: draining(), now: 901, expected: draining(901) },
  ])("$rule", ({ stored, left, now, expected }) => {
    expect(decideRemoval(stored, { ...nothing, ...left }, 100, now)).toEqual(expected);
  });

  test("whatever the looks saw, it is stopped only if none of the last hundred saw anything", () => {
    const looks = fc.array(fc.record({ after: fc.integer({ min: 1, max: 60 }), undelivered: fc.constantFrom(0, 0, 0, 1) }), {
      minLength: 1,
    });
    fc.assert(
      fc.property(looks, (seen) => {
        let [now, busyAt, stored] = [0, Number.NEGATIVE_INFINITY, undefined as Removal | undefined];
        for (const { after, undelivered } of seen) {
          now += after;
          if (undelivered > 0) busyAt = now;
          stored = decideRemoval(stored, { ...nothing, undelivered }, 100, now);
          if (stored.state === "stopped") expect(now - Math.max(busyAt, 0)).toBeGreaterThanOrEqual(100);
        }
      }),
    );
  });
});

test("a removed connector is stopped, whatever was commanded", () => {
  const link = { ...newLink(linkId(brokerId("a"), "to-b")), commanded: { run: "start", counter: 1 } } as const;
  expect([isStopped(link, { autoStart: true }), isStopped(link, { autoStart: true, removed: true })]).toEqual([false, true]);
});
