import { afterEach, describe, expect, test, vi } from "vitest";
import { rateMilliseconds, startSchedule } from "../../local/schedule.ts";

describe("rateMilliseconds", () => {
  test.for([
    { expression: "rate(1 minute)", milliseconds: 60_000 },
    { expression: "rate(5 minutes)", milliseconds: 300_000 },
    { expression: "rate(2 hours)", milliseconds: 7_200_000 },
    { expression: "rate(1 day)", milliseconds: 86_400_000 },
  ])("$expression", ({ expression, milliseconds }) => {
    expect(rateMilliseconds(expression)).toBe(milliseconds);
  });

  test.for(["cron(0 12 * * ? *)", "at(2030-01-01T00:00:00)", "rate(1 second)"])("%s is refused by name", (expression) => {
    expect(() => rateMilliseconds(expression)).toThrow(`schedule ${expression} isn't embedded`);
  });
});

describe("startSchedule", () => {
  afterEach(() => void vi.useRealTimers());

  test("ticks at its rate until it is stopped", () => {
    vi.useFakeTimers();
    const tick = vi.fn();
    const schedule = startSchedule({ functionArn: "f", everyMilliseconds: 60_000, input: {} }, tick);
    vi.advanceTimersByTime(59_999);
    expect(tick).toHaveBeenCalledTimes(0);
    vi.advanceTimersByTime(120_001);
    expect(tick).toHaveBeenCalledTimes(3);
    schedule.stop();
    vi.advanceTimersByTime(120_000);
    expect(tick).toHaveBeenCalledTimes(3);
  });
});
