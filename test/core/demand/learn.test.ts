import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { judgeLearnt, shortestPaths } from "../../../core/demand/learn.ts";
import { brokerId } from "../../../core/ids.ts";
import { aGroup, aLinkFrom } from "../../support/a-connector.ts";

const judge = (group: ReturnType<typeof aGroup>, consumerTTL: number) =>
  judgeLearnt(group, brokerId("a"), aLinkFrom("a", "b", { consumerTTL }));

describe("judgeLearnt at a of what b publishes", () => {
  test.for([
    { rule: "TTL-1: a client of the peer has no path and spends nothing", path: "", consumerTTL: 1, expected: "b" },
    { rule: "TTL-1: one hop spends a TTL of 1", path: "c", consumerTTL: 1, expected: "consumer-ttl" },
    { rule: "TTL-5: the path grows by the peer at its end", path: "dc", consumerTTL: 3, expected: "dcb" },
    { rule: "TTL-1: as many hops as the TTL are too many", path: "edc", consumerTTL: 3, expected: "consumer-ttl" },
    { rule: "TTL-3: -1 is no limit", path: "gfedc", consumerTTL: -1, expected: "gfedcb" },
    { rule: "TTL-3: without limit the loop guard still holds", path: "ca", consumerTTL: -1, expected: "own-echo" },
    { rule: "TTL-4: a TTL of 0 lets a direct client's demand in", path: "", consumerTTL: 0, expected: "b" },
    { rule: "TTL-4: a TTL of 0 stops the demand of all others", path: "c", consumerTTL: 0, expected: "consumer-ttl" },
    { rule: "demand that has passed here comes back as an echo", path: "cad", consumerTTL: 9, expected: "own-echo" },
    { rule: "so does our own", path: "a", consumerTTL: 9, expected: "own-echo" },
  ])("$rule", ({ path, consumerTTL, expected }) => {
    const verdict = judge(aGroup(path, { origin: path[0] ?? "b" }), consumerTTL);
    expect(verdict.verdict === "learn" ? verdict.group.path.join("") : verdict.why).toBe(expected);
  });
});

describe("judgeLearnt of durable subscriptions, on a link that opens them from 100 on", () => {
  test.for([
    { rule: "one that has a subscriber is opened", durable: {}, expected: "learn" },
    { rule: "one that had one since, too", durable: { offlineSince: 100 }, expected: "learn" },
    { rule: "one that had none since isn't", durable: { offlineSince: 99 }, expected: "durable-unseen" },
  ])("$rule", ({ durable, expected }) => {
    const verdict = judgeLearnt(aGroup("", { origin: "b", durable }), brokerId("a"), aLinkFrom("a", "b"), 100);
    expect(verdict.verdict === "learn" ? verdict.verdict : verdict.why).toBe(expected);
  });
});

describe("shortestPaths", () => {
  const many = fc.uniqueArray(fc.stringMatching(/^[c-h]{1,4}$/), { minLength: 60, maxLength: 90 });

  test("of more than 64 ways to the same consumers the 64 shortest stay, whatever order they came in", () => {
    fc.assert(
      fc.property(many, (paths) => {
        const ways = paths.map((path) => aGroup(path, { origin: "z" }));
        const kept = shortestPaths(ways);
        expect(kept).toHaveLength(Math.min(64, ways.length));
        expect(shortestPaths(ways.toReversed())).toEqual(kept);
        const longestKept = Math.max(...kept.map(({ path }) => path.length));
        const left = ways.filter((way) => !kept.includes(way));
        expect(left.every(({ path }) => path.length >= longestKept)).toBe(true);
      }),
      { numRuns: 30 },
    );
  });

  test("each origin and group has its own 64", () => {
    const ways = ["x", "y"].flatMap((origin) => Array.from({ length: 70 }, (_, n) => aGroup("cd", { origin, group: `priority ${n % 2}` })));
    expect(shortestPaths(ways)).toHaveLength(140);
  });
});
