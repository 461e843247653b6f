import { describe, expect, test } from "vitest";
import { takenOf } from "../../../core/policy/rate.ts";

const rate = { limit: 5, duration: 1_000 };

describe("who asks for a place in a rate's window", () => {
  test.for([
    { rule: "gets it if that many are left", asked: 3, n: 3, taken: 3, left: 2, usedUp: false },
    { rule: "gets what is left, if that is less", asked: 7, n: 4, taken: 2, left: 0, usedUp: true },
    { rule: "gets nothing after that", asked: 9, n: 2, taken: 0, left: 0, usedUp: true },
    { rule: "gets nothing by looking, and sees what is left", asked: 1, n: 0, taken: 0, left: 4, usedUp: false },
  ])("REP-4 $rule", ({ asked, n, taken, left, usedUp }) => {
    expect(takenOf({ asked, closesAt: 11_000 }, n, rate, 10_999)).toEqual({ taken, left, until: 11_000, usedUp });
  });

  test.for([
    { rule: "sees the next one, when it is over", asked: 3, usedUp: false },
    { rule: "sees also whether the last one took no more", asked: 5, usedUp: true },
  ])("REP-4 $rule", ({ asked, usedUp }) => {
    expect(takenOf({ asked, closesAt: 11_000 }, 0, rate, 11_000)).toEqual({ taken: 0, left: 5, until: 12_000, usedUp });
  });
});
