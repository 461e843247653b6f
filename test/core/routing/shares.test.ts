import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { shareCounter, shareCycle, shareOut } from "../../../core/routing/shares.ts";
import type { Candidate } from "../../../core/routing/view.ts";
import { sha256 } from "../../support/hash.ts";

/** A consumer on the shared queue; who the candidates are makes no difference to a share. */
const sharer = (id: string, weight: number): Candidate => ({ to: "consumers", id, priority: 0, weight, capacity: 1 });
const sharers = fc
  .array(fc.integer({ min: 1, max: 12 }), { minLength: 1, maxLength: 9 })
  .map((weights) => weights.map((weight, n) => sharer(`c${n}`, weight)));
const total = (candidates: readonly Candidate[]) => candidates.reduce((sum, { weight }) => sum + weight, 0);
const taken = (shared: readonly Candidate[], { id }: Candidate) => shared.filter((one) => one.id === id).length;
const start = fc.nat(500);

describe("shares by weight", () => {
  test.for([
    { rule: "equal weights take turns", weights: [1, 1, 1], order: "abcabc" },
    { rule: "twice the weight, twice the messages, never two turns more than needed", weights: [1, 2], order: "babbab" },
    { rule: "a heavy candidate doesn't starve a light one until the end", weights: [5, 1], order: "aaabaa" },
  ])("$rule", ({ weights, order }) => {
    const candidates = weights.map((weight, n) => sharer("abc"[n] ?? "", weight));
    expect(
      shareOut(candidates, 0, order.length)
        .map(({ id }) => id)
        .join(""),
    ).toBe(order);
  });

  test("any range of whole cycles is exact", () => {
    fc.assert(
      fc.property(sharers, start, fc.integer({ min: 1, max: 3 }), (candidates, from, cycles) => {
        const shared = shareOut(candidates, from, cycles * total(candidates));
        for (const candidate of candidates) expect(taken(shared, candidate)).toBe(cycles * candidate.weight);
      }),
    );
  });

  test("every prefix is within one message of each candidate's fair share", () => {
    fc.assert(
      fc.property(sharers, (candidates) => {
        const cycle = shareCycle(candidates);
        for (let n = 1; n <= cycle.length; n += 1) {
          for (const candidate of candidates) {
            const fair = (n * candidate.weight) / cycle.length;
            expect(Math.abs(taken(cycle.slice(0, n), candidate) - fair)).toBeLessThan(1);
          }
        }
      }),
      { examples: [[[1, 6, 1, 6, 6, 1, 1].map((weight, n) => sharer(`c${n}`, weight))]] },
    );
  });

  test("the order in which candidates are listed changes nothing", () => {
    fc.assert(
      fc.property(sharers, start, fc.nat(50), (candidates, from, n) => {
        expect(shareOut(candidates.toReversed(), from, n)).toEqual(shareOut(candidates, from, n));
        expect(shareCounter("queue://x", candidates.toReversed(), sha256)).toBe(shareCounter("queue://x", candidates, sha256));
      }),
    );
  });

  test("consecutive ranges are one range: two batches share as one would", () => {
    fc.assert(
      fc.property(sharers, start, fc.nat(30), fc.nat(30), (candidates, from, n, m) => {
        expect([...shareOut(candidates, from, n), ...shareOut(candidates, from + n, m)]).toEqual(shareOut(candidates, from, n + m));
      }),
    );
  });
});

describe("shareCounter", () => {
  const [a, b] = [sharer("a", 1), sharer("b", 1)];
  test.for([
    { rule: "another set of candidates", other: shareCounter("queue://x", [a], sha256) },
    { rule: "another weight", other: shareCounter("queue://x", [a, sharer("b", 2)], sha256) },
    { rule: "another destination", other: shareCounter("queue://y", [a, b], sha256) },
  ])("$rule has another counter", ({ other }) => {
    expect(other).not.toBe(shareCounter("queue://x", [a, b], sha256));
  });
});
