import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { likePattern } from "../../../core/selector/like.ts";

describe("LIKE", () => {
  const naive = (pattern: string, text: string): boolean => {
    const [p, ...ps] = pattern;
    const [t, ...ts] = text;
    if (p === "%") return naive(ps.join(""), text) || (t !== undefined && naive(pattern, ts.join("")));
    if (p === undefined || t === undefined) return p === t;
    return (p === "_" || p === t) && naive(ps.join(""), ts.join(""));
  };

  test("agrees with trying everything", () => {
    const letters = (...units: string[]) => fc.string({ unit: fc.constantFrom(...units), maxLength: 8 });
    fc.assert(
      fc.property(
        letters("a", "b", "%", "_", ".", "\\", "1", "\n", "😀"),
        letters("a", "b", ".", "\\", "1", "\n", "😀"),
        (pattern, text) => {
          expect(likePattern(pattern).test(text)).toBe(naive(pattern, text));
        },
      ),
    );
  });

  test("takes a time that grows with the text, not with the ways to match it", () => {
    expect(likePattern(`${"%a".repeat(60)}%b`).test("a".repeat(1_000))).toBe(false);
  });

  test.for([
    { rule: "an escaped % is itself", pattern: "a!%c", takes: "a%c", refuses: "abc" },
    { rule: "an escaped _ is itself", pattern: "a!_c", takes: "a_c", refuses: "abc" },
    { rule: "the escape escapes itself", pattern: "a!!%", takes: "a!b", refuses: "ab" },
    { rule: "before anything else the escape is a character like any other", pattern: "a!bc", takes: "a!bc", refuses: "abc" },
    { rule: "so it is at the end", pattern: "ab!", takes: "ab!", refuses: "ab" },
  ])("SEL-15 $rule: $pattern", ({ pattern, takes, refuses }) => {
    const like = likePattern(pattern, "!");
    expect([like.test(takes), like.test(refuses)]).toEqual([true, false]);
  });
});
