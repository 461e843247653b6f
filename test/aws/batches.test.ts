import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { inBatches, maxBatchEntries, maxBytes } from "../../aws/batches.ts";

const size = fc.oneof(fc.integer({ min: 0, max: maxBytes / 16 }), fc.integer({ min: 0, max: 2 * maxBytes }));
const sizes = fc.array(size, { maxLength: 60 });
const bytesOf = (batch: readonly number[]) => batch.reduce((sum, size) => sum + size, 0);

describe("inBatches", () => {
  test("keeps every item in its order", () => {
    fc.assert(
      fc.property(sizes, (items) => {
        expect(inBatches(items, (size) => size).flat()).toEqual(items);
      }),
    );
  });

  test("makes no batch that a service refuses, but for a single item that is too large itself", () => {
    fc.assert(
      fc.property(sizes, (items) => {
        for (const batch of inBatches(items, (size) => size)) {
          expect(batch.length).toBeLessThanOrEqual(maxBatchEntries);
          if (batch.length > 1) expect(bytesOf(batch)).toBeLessThanOrEqual(maxBytes);
        }
      }),
    );
  });

  test("starts a batch only where the last one has no room for the next item", () => {
    fc.assert(
      fc.property(sizes, (items) => {
        const batches = inBatches(items, (size) => size);
        for (const [i, batch] of batches.slice(0, -1).entries()) {
          const next = batches[i + 1]?.[0] ?? 0;
          expect(batch.length === maxBatchEntries || bytesOf(batch) + next > maxBytes).toBe(true);
        }
      }),
    );
  });
});
