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

    const rate = { limit: 5, duration: 1_000 };
    test("a rate's window opens with the first that is taken, and takes no more than its limit until it is over", async () => {
      const counters = await open();
      expect(await counters.take("w", 0, rate, 10_000)).toMatchObject({ taken: 0, left: 5 });
      expect(await counters.take("w", 3, rate, 10_000)).toEqual({ taken: 3, left: 2, until: 11_000, usedUp: false });
      expect(await counters.take("w", 3, rate, 10_500)).toEqual({ taken: 2, left: 0, until: 11_000, usedUp: true });
      expect(await counters.take("w", 1, rate, 10_999)).toEqual({ taken: 0, left: 0, until: 11_000, usedUp: true });
      expect(await counters.take("w", 0, rate, 10_999)).toEqual({ taken: 0, left: 0, until: 11_000, usedUp: true });
    });

    test("a window that is over opens anew when something is taken, not at a fixed beat", async () => {
      const counters = await open();
      await counters.take("w", 9, rate, 10_000);
      expect(await counters.take("w", 0, rate, 11_000)).toMatchObject({ left: 5, usedUp: true });
      expect(await counters.take("w", 7, rate, 11_700)).toEqual({ taken: 5, left: 0, until: 12_700, usedUp: true });
    });

    test("twenty who take at once get the limit together, and windows don't share it", async () => {
      const counters = await open();
      const takes = await Promise.all(Array.from({ length: 20 }, () => counters.take("w", 2, { limit: 15, duration: 1_000 }, 10_000)));
      expect(takes.reduce((sum, { taken }) => sum + taken, 0)).toBe(15);
      expect(await counters.take("another", 2, rate, 10_000)).toMatchObject({ taken: 2 });
    });

    test("the table's identity stays the same while it lives, and no two tables share one", async () => {
      const [one, other] = [await open(), await open()];
      expect(await one.tableId()).toBe(await one.tableId());
      expect(await one.tableId()).not.toBe(await other.tableId());
    });
  });
