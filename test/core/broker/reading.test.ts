import { describe, expect, test } from "vitest";
import { carryOverBefore, newPassRecord, withReading } from "../../../core/broker/reading.ts";
import type { PassRecord } from "../../../core/broker/records.ts";

const day = 24 * 3_600_000;
/** Readings of a depth, one after the other. */
const seen = (...readings: readonly (readonly [day: number, all: number])[]): PassRecord =>
  readings.reduce((record, [at, all]) => withReading(record, { all }, at * day), newPassRecord);
const carried = (record: PassRecord, olderThan: number, done: boolean): PassRecord => ({
  ...record,
  carryOver: { olderThan: olderThan * day, done },
});

describe("a carry-over is due", () => {
  test.for([
    { rule: "not for a place never seen", record: newPassRecord, at: 30, before: undefined },
    { rule: "not for one that is empty", record: seen([0, 0], [30, 0]), at: 30, before: undefined },
    { rule: "not within a week", record: seen([0, 1], [6.9, 1]), at: 6.9, before: undefined },
    { rule: "for what is older than half a week, when it wasn't seen empty for one", record: seen([0, 1], [7, 1]), at: 7, before: 3.5 },
    { rule: "not when it was seen empty in between", record: seen([0, 1], [3, 0], [4, 1], [9, 1]), at: 9, before: undefined },
    { rule: "on and on by the same moment until its round is over", record: carried(seen([0, 1], [8, 1]), 3.5, false), at: 8, before: 3.5 },
    { rule: "not again within half a week", record: carried(seen([0, 1], [10, 1]), 3.5, true), at: 10.4, before: undefined },
    { rule: "again after half a week", record: carried(seen([0, 1], [10.5, 1]), 3.5, true), at: 10.5, before: 7 },
  ])("$rule", ({ record, at, before }) => {
    expect(carryOverBefore(record, at * day)).toBe(before === undefined ? undefined : before * day);
  });
});

describe("a reading", () => {
  test("says since when it has been the same", () => {
    expect(seen([1, 5], [2, 9], [3, 1]).reading).toEqual({ at: 3 * day, isEmpty: false, since: day });
    expect(seen([1, 5], [2, 0]).reading).toEqual({ at: 2 * day, isEmpty: true, since: 2 * day });
  });

  test("that finds nothing ends what was carried over", () => {
    expect(withReading(carried(seen([0, 1]), 3.5, true), { all: 0 }, day)).not.toHaveProperty("carryOver");
  });

  test("keeps how often the queue lets a message be received", () => {
    expect(withReading(newPassRecord, { all: 0, receiveLimit: 5 }, 0).reading?.receiveLimit).toBe(5);
  });
});
