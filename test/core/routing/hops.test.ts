import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { NetworkConnector } from "../../../core/config/slice.ts";
import { destinationOf } from "../../../core/destination/destination.ts";
import { brokerId } from "../../../core/ids.ts";
import { hopLimit, hopsBetween, hopsSpent } from "../../../core/routing/hops.ts";
import { aLinkFrom } from "../../support/a-connector.ts";

const orders = destinationOf("queue://orders");
const linksOf = (ways: string): NetworkConnector[] => ways.split(" ").map(([from = "", to = ""]) => aLinkFrom(from, to));
const ring = linksOf("ab bc cd da");

describe("hopsBetween", () => {
  test.for([
    { rule: "to itself: none", ways: ring, from: "a", to: "a", hops: 0 },
    { rule: "along the connectors", ways: ring, from: "a", to: "d", hops: 3 },
    { rule: "never against them", ways: linksOf("ab"), from: "b", to: "a", hops: Number.POSITIVE_INFINITY },
    { rule: "the shortest way counts", ways: [...ring, ...linksOf("ad")], from: "a", to: "d", hops: 1 },
    {
      rule: "a connector that excludes the destination is no way",
      ways: [...ring, aLinkFrom("a", "d", { excludedDestinations: ["queue://orders"] })],
      from: "a",
      to: "d",
      hops: 3,
    },
    {
      rule: "nor is one that doesn't include it",
      ways: [aLinkFrom("a", "b", { dynamicallyIncludedDestinations: ["queue://x"] })],
      from: "a",
      to: "b",
      hops: Number.POSITIVE_INFINITY,
    },
  ])("$rule", ({ ways, from, to, hops }) => {
    expect(hopsBetween(ways, orders, brokerId(from), brokerId(to))).toBe(hops);
  });

  test("one connector more never makes a way longer, and a way obeys the triangle", () => {
    const brokers = ["a", "b", "c", "d", "e"];
    const edge = fc.tuple(fc.constantFrom(...brokers), fc.constantFrom(...brokers)).map(([from, to]) => aLinkFrom(from, to));
    fc.assert(
      fc.property(
        fc.array(edge),
        edge,
        fc.constantFrom(...brokers),
        fc.constantFrom(...brokers),
        fc.constantFrom(...brokers),
        (edges, more, x, y, z) => {
          const far = (from: string, to: string, ways = edges) => hopsBetween(ways, orders, brokerId(from), brokerId(to));
          expect(far(x, y, [...edges, more])).toBeLessThanOrEqual(far(x, y));
          expect(far(x, z)).toBeLessThanOrEqual(far(x, y) + far(y, z));
        },
      ),
    );
  });
});

describe("hopsSpent", () => {
  const withShortcut = [...ring, ...linksOf("ad")];
  test.for([
    { rule: "none at its origin", path: "", at: "a", ways: ring, spent: 0 },
    { rule: "the length of the direct way", path: "ab", at: "c", ways: ring, spent: 2 },
    { rule: "a detour counts as the direct way", path: "abc", at: "d", ways: withShortcut, spent: 1 },
    { rule: "no more than its path where the configuration lost the way", path: "ab", at: "c", ways: [], spent: 2 },
  ])("$rule", ({ path, at, ways, spent }) => {
    expect(hopsSpent({ destination: orders }, brokerId(at), path.split("").map(brokerId), ways)).toBe(spent);
  });
});

test.for([
  { rule: "TTL-3: -1 is no limit", messageTTL: -1, limit: Number.POSITIVE_INFINITY },
  { rule: "TTL-2: 0 forwards nothing", messageTTL: 0, limit: 0 },
  { rule: "TTL-2: n is n hops", messageTTL: 3, limit: 3 },
])("hopLimit: $rule", ({ messageTTL, limit }) => {
  expect(hopLimit(aLinkFrom("a", "b", { messageTTL }))).toBe(limit);
});
