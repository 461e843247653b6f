import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { destinationOf } from "../../../core/destination/destination.ts";
import { compileFilter } from "../../../core/destination/filter.ts";

const matches = (pattern: string, candidate: string) => compileFilter(destinationOf(pattern))(destinationOf(candidate));

describe("compileFilter", () => {
  test.for([
    { rule: "empty elements count: A..B has three", pattern: "A.*.B", candidate: "A..B", expected: true },
    { rule: "a topic never matches a queue of its name", pattern: "topic://FOO", candidate: "queue://FOO", expected: false },
    { rule: "* needs exactly one element", pattern: "A.*", candidate: "A", expected: false },
    { rule: "> means nothing, too", pattern: "A.>", candidate: "A", expected: true },
    { rule: "a second > at the end adds nothing", pattern: "A.>.>", candidate: "A", expected: true },
    { rule: "a > before the end is a plain element", pattern: "A.>.B", candidate: "A.x.B", expected: false },
    { rule: "W6: under >, a * of the tested name matches any element of the filter", pattern: "A.B.>", candidate: "A.*.C", expected: true },
    { rule: "W6: without >, a * of the tested name matches only *", pattern: "A.B.*", candidate: "A.*.C", expected: false },
    { rule: "W7: an exclude of local.> doesn't stop a consumer on >", pattern: "local.>", candidate: ">", expected: false },
    { rule: "W7: a name never matches a pattern it is tested against", pattern: "TEST.A", candidate: "TEST.>", expected: false },
    { rule: "a part of a composite keeps its own kind", pattern: "queue://a,topic://b", candidate: "topic://b", expected: true },
  ])("$rule", ({ pattern, candidate, expected }) => {
    expect(matches(pattern, candidate)).toBe(expected);
  });

  test("a compiled filter agrees with a naive matcher", () => {
    const path = fc.array(fc.constantFrom("a", "b", "*", ">", ""), { minLength: 1, maxLength: 5 });
    fc.assert(
      fc.property(path, path, (pattern, candidate) => {
        fc.pre(pattern.join(".") !== "" && candidate.join(".") !== "");
        const expected = pattern.at(-1) === ">" ? underPrefix(pattern, candidate) : elementwise(pattern, candidate);
        expect(matches(pattern.join("."), candidate.join("."))).toBe(expected);
      }),
      { numRuns: 1_000 },
    );
  });
});

/** The manual, read word by word: element by element, from the left. */
const elementwise = ([first, ...rest]: readonly string[], [tested, ...others]: readonly string[]): boolean => {
  if (first === undefined || tested === undefined) return first === tested;
  return (first === "*" || first === tested) && elementwise(rest, others);
};

const underPrefix = ([first, ...rest]: readonly string[], [tested, ...others]: readonly string[]): boolean => {
  if (first === undefined || (first === ">" && rest.every((element) => element === ">"))) return true;
  if (tested === undefined) return false;
  return (first === "*" || tested === "*" || first === tested) && underPrefix(rest, others);
};
