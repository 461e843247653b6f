import { describe, expect, test } from "vitest";
import { remoteLimits, reserveOf } from "../../functions/reserve.ts";

describe("the time of an invocation", () => {
  test.for([
    { rule: "keeps ten seconds to end with", longest: 60_000, reserve: 10_000, remote: 3_000 },
    { rule: "of a bridge by default likewise", longest: 30_000, reserve: 10_000, remote: 3_000 },
    { rule: "keeps a third, if it is short", longest: 27_000, reserve: 9_000, remote: 3_000 },
    { rule: "gives a remote call what the third has room for", longest: 9_000, reserve: 3_000, remote: 1_000 },
  ])("$rule", ({ longest, reserve, remote }) => {
    expect(reserveOf({ longest })).toBe(reserve);
    expect(remoteLimits({ longest })).toEqual({ requestTimeout: remote, maxAttempts: 1 });
  });
});
