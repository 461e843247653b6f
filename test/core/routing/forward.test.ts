import { describe, expect, test } from "vitest";
import { brokerId } from "../../../core/ids.ts";
import { judgeForward } from "../../../core/routing/forward.ts";
import { aLinkFrom } from "../../support/a-connector.ts";
import { aMessage } from "../../support/a-message.ts";

/** From b to c, in a network where a leads to b and to d, d to b. */
const judge = (path: string, messageTTL: number, excludedDestinations: readonly string[] = []) => {
  const link = aLinkFrom("b", "c", { messageTTL, excludedDestinations });
  return judgeForward(aMessage({ brokerPath: path.split("").map(brokerId) }), link, [
    link,
    aLinkFrom("a", "b"),
    aLinkFrom("a", "d"),
    aLinkFrom("d", "b"),
  ]);
};

describe("judgeForward from b to c", () => {
  test.for([
    { rule: "a message fresh from its producer crosses", path: "", ttl: 1, verdict: "forward" },
    { rule: "TTL-2: one hop spends a TTL of 1", path: "a", ttl: 1, verdict: "ttl-spent" },
    { rule: "TTL-2: a TTL of 2 is two hops", path: "a", ttl: 2, verdict: "forward" },
    { rule: "a detour counts as the direct way", path: "ad", ttl: 2, verdict: "forward" },
    { rule: "TTL-4: a TTL of 0 forwards nothing", path: "", ttl: 0, verdict: "ttl-spent" },
    { rule: "TTL-3: -1 is no limit", path: "ad", ttl: -1, verdict: "forward" },
    { rule: "FLT-1: no message returns to a broker on its path", path: "ca", ttl: -1, verdict: "already-visited" },
    { rule: "W7: the concrete name is tested again", path: "", ttl: 1, excluded: ["queue://orders.>"], verdict: "not-permitted" },
  ])("$rule", ({ path, ttl, excluded, verdict }) => {
    const judged = judge(path, ttl, excluded);
    expect(judged.verdict === "suppress" ? judged.why : judged.verdict).toBe(verdict);
  });
});

describe("judgeForward back to a broker on the path", () => {
  const link = aLinkFrom("b", "c");
  const back = (from: number, now: number, fields = {}, path = "ca") =>
    judgeForward(aMessage({ brokerPath: path.split("").map(brokerId) }), { ...link, ...fields }, [link], { from, now });

  test.for([
    { rule: "REP-1: forwards when the replay's time has come, whatever the TTL", from: 1_000, expected: { verdict: "forward" } },
    { rule: "REP-1: waits until then", from: 1_001, expected: { verdict: "wait", why: "replay-delay", until: 1_001 } },
    {
      rule: "never without replay",
      from: Number.POSITIVE_INFINITY,
      expected: { verdict: "suppress", why: "already-visited" },
    },
  ])("$rule", ({ from, expected }) => {
    expect(back(from, 1_000, { messageTTL: 0 })).toEqual(expected);
  });

  test.for([
    { rule: "at once the first time", visits: 1, after: 0 },
    { rule: "a second later the second time", visits: 2, after: 1_000 },
    { rule: "twice as long after it each further time", visits: 5, after: 8_000 },
    { rule: "an hour at most", visits: 60, after: 3_600_000 },
  ])("sends it $rule", ({ visits, after }) => {
    const path = "ca".repeat(visits);
    expect(back(1_000, 999 + after, {}, path)).toEqual({ verdict: "wait", why: "replay-delay", until: 1_000 + after });
    expect(back(1_000, 1_000 + after, {}, path)).toEqual({ verdict: "forward" });
  });

  test("tests permission nevertheless", () => {
    expect(back(0, 1_000, { excludedDestinations: ["queue://>"] })).toEqual({ verdict: "suppress", why: "not-permitted" });
  });
});
