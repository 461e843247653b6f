import fc from "fast-check";
import { expect, test } from "vitest";
import { destinationOf } from "../../../core/destination/destination.ts";
import { compileFilter } from "../../../core/destination/filter.ts";
import { indexFilters } from "../../../core/destination/filter-index.ts";

const name = fc.array(fc.constantFrom("a", "b", "*", ">", ""), { minLength: 1, maxLength: 4 }).map((elements) => elements.join("."));
const destination = fc
  .tuple(fc.constantFrom("queue", "topic"), name)
  .filter(([, text]) => text !== "")
  .map(([kind, text]) => `${kind}://${text}`);
const filter = fc.oneof(
  { weight: 3, arbitrary: destination },
  fc.tuple(destination, destination).map((parts) => parts.join(",")),
);

test("an index finds exactly the filters that mean a destination, be it a name or a pattern (spec W1-W7)", () => {
  fc.assert(
    fc.property(fc.uniqueArray(filter, { maxLength: 12 }), destination, (filters, text) => {
      const candidate = destinationOf(text);
      const found = indexFilters(filters.map((one) => [destinationOf(one), one]))(candidate);
      expect([...new Set(found)].sort()).toEqual(filters.filter((one) => compileFilter(destinationOf(one))(candidate)).sort());
    }),
    { numRuns: 1_000 },
  );
});

test("values of one filter keep their order", () => {
  const found = indexFilters(["first", "second"].map((value) => [destinationOf("queue://a.>"), value]));
  expect(found(destinationOf("queue://a.b"))).toEqual(["first", "second"]);
});
