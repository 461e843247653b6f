import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { comesAgain } from "../../local/batch-response.ts";

const all = ["a", "b", "c"];
const failures = (...ids: unknown[]) => ({ batchItemFailures: ids.map((itemIdentifier) => ({ itemIdentifier })) });

describe("C07 comesAgain", () => {
  test.for([
    { rule: "no answer is success", response: undefined, again: [] },
    { rule: "null is success", response: null, again: [] },
    { rule: "an empty object is success", response: {}, again: [] },
    { rule: "an object that says nothing of failures is success", response: { done: true }, again: [] },
    { rule: "no failures is success", response: failures(), again: [] },
    { rule: "null for the failures is success", response: { batchItemFailures: null }, again: [] },
    { rule: "named failures come again alone", response: failures("b", "c"), again: ["b", "c"] },
    { rule: "one named twice comes again once", response: failures("b", "b"), again: ["b"] },
    { rule: "an empty id brings back all", response: failures("b", ""), again: all },
    { rule: "an unknown id brings back all", response: failures("b", "z"), again: all },
    { rule: "a null id brings back all", response: failures(null), again: all },
    { rule: "a misspelt key brings back all", response: { batchItemFailures: [{ itemIdentifer: "b" }] }, again: all },
    { rule: "a failure that is no object brings back all", response: { batchItemFailures: [null] }, again: all },
    { rule: "failures that are no list bring back all", response: { batchItemFailures: "b" }, again: all },
    { rule: "a text brings back all", response: "oops", again: all },
    { rule: "a list brings back all", response: [], again: all },
  ])("$rule", ({ response, again }) => {
    expect([...comesAgain(response, all)]).toEqual(again);
  });

  test("whatever a function answers, only records of the batch come again, and a malformed name loses none", () => {
    const ids = fc.uniqueArray(fc.string({ minLength: 1 }), { minLength: 1, maxLength: 10 });
    const response = fc.oneof(
      fc.anything(),
      fc.record({ batchItemFailures: fc.array(fc.oneof(fc.anything(), fc.record({ itemIdentifier: fc.anything() }))) }),
    );
    fc.assert(
      fc.property(ids, response, (batch, answer) => {
        const again = comesAgain(answer, batch);
        expect(batch).toEqual(expect.arrayContaining([...again]));
        const named = (answer as { batchItemFailures?: unknown } | null | undefined)?.batchItemFailures;
        if (Array.isArray(named) && named.length > 0) expect(again.size).toBeGreaterThan(0);
      }),
    );
  });
});
