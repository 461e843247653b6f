import { describe, expect, test } from "vitest";
import type { OpenBrain } from "../../support/worlds/tables.ts";

export const countersContract = (name: string, open: OpenBrain) =>
  describe(`${name} keep the contract of counters`, () => {
    test("a counter starts at nothing and answers what it has become", async () => {
      const counters = await open();
      expect(await counters.add("shares", 0)).toBe(0);
      expect(await counters.add("shares", 10)).toBe(10);
      expect(await counters.add("shares", 5)).toBe(15);
      expect(await counters.add("shares", 0)).toBe(15);
    });

    test("counters don't share their sums", async () => {
      const counters = await open();
      await counters.add("a", 1);
      expect(await counters.add("b", 2)).toBe(2);
    });

    test("twenty concurrent adds get twenty ranges that don't overlap", async () => {
      const counters = await open();
      const sums = await Promise.all(Array.from({ length: 20 }, () => counters.add("shares", 3)));
      expect(sums.sort((a, b) => a - b)).toEqual(Array.from({ length: 20 }, (_, i) => 3 * (i + 1)));
    });

    test("the table's identity stays the same while it lives, and no two tables share one", async () => {
      const [one, other] = [await open(), await open()];
      expect(await one.tableId()).toBe(await one.tableId());
      expect(await one.tableId()).not.toBe(await other.tableId());
    });
  });
