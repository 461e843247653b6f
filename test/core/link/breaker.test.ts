import { describe, expect, test } from "vitest";
import { brokerId, linkId } from "../../../core/ids.ts";
import { closeBreaker, closesBreaker, openBreaker, probeDelay, withBreaker } from "../../../core/link/breaker.ts";
import { newLink } from "../../../core/link/link.ts";

const link = linkId(brokerId("a"), "to-b");
const answered = (answeredAt: number, openedAt?: number) => ({ ...newLink(link), answeredAt, ...(openedAt !== undefined && { openedAt }) });

describe("a failed hand-over", () => {
  test.for([
    { rule: "opens the breaker", link: answered(100), failedAt: 200, opens: 200 },
    { rule: "opens it in the very moment of the last crossing probe", link: answered(200), failedAt: 200, opens: 200 },
    { rule: "says nothing new when a probe that left later has crossed", link: answered(300), failedAt: 200, opens: undefined },
    { rule: "changes nothing of an open one", link: answered(100, 150), failedAt: 200, opens: undefined },
  ])("$rule", ({ link: stored, failedAt, opens }) => {
    expect(openBreaker(stored, failedAt)?.openedAt).toBe(opens);
  });
});

describe("a crossing probe", () => {
  test.for([
    { rule: "closes the breaker when it left later", openedAt: 200, answer: 201, isNoted: true, closes: true },
    { rule: "whether dispatch knows of it yet or not", openedAt: 200, answer: 201, isNoted: false, closes: true },
    { rule: "not when it was under way already", openedAt: 200, answer: 200, isNoted: true, closes: false },
    { rule: "has nothing to close", openedAt: undefined, answer: 300, isNoted: false, closes: false },
    { rule: "closes what was noted after the breaker had closed", openedAt: undefined, answer: 300, isNoted: true, closes: true },
  ])("$rule", ({ openedAt, answer, isNoted, closes }) => {
    expect(closesBreaker(answered(0, openedAt), answer, isNoted)).toBe(closes);
  });

  test("leaves nothing of it but the moment", () => {
    expect(closeBreaker(answered(5, 3), 9)).toEqual({ ...answered(5), closedAgainAt: 9 });
  });
});

describe("a link is failing", () => {
  const minute = 60_000;
  const failing = (closedAgainAt: number) => ({ ...answered(0), failingSince: 7, closedAgainAt });
  test.for([
    { rule: "since its first failure", link: answered(0), since: 5 * minute },
    { rule: "since before its breaker closed for less than a minute", link: failing(4 * minute + 1), since: 7 },
    { rule: "anew once it has been closed for a minute", link: failing(4 * minute), since: 5 * minute },
  ])("$rule", ({ link: stored, since }) => {
    expect(openBreaker(stored, 5 * minute)?.failingSince).toBe(since);
  });
});

test.for([
  { rule: "five seconds at first", age: 0, ms: 5_000 },
  { rule: "as long as it has been failing", age: 20_000, ms: 20_000 },
  { rule: "a minute at most", age: 3_600_000, ms: 60_000 },
])("the next probe leaves after $rule", ({ age, ms }) => {
  expect(probeDelay({ failingSince: 1_000 }, 1_000 + age)).toBe(ms);
});

test("a breaker is listed once, and not when it is closed", () => {
  const other = linkId(brokerId("a"), "to-c");
  expect(withBreaker([other, link], link, true)).toEqual([other, link]);
  expect(withBreaker([other, link], link, false)).toEqual([other]);
});
