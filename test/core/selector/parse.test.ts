import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { parseSelector } from "../../../core/selector/parse.ts";
import { anySelector } from "./arbitrary.ts";
import { print } from "./print.ts";

describe("a text that is no selector is refused at the place where it breaks", () => {
  test.for([
    { rule: "a side is missing", text: "amount >", column: 9, expected: "a value" },
    { rule: "the closing parenthesis is missing", text: "(a = 5", column: 7, expected: ")" },
    { rule: "there is a parenthesis too many", text: "a = 5)", column: 6, expected: "an operator or the end" },
    { rule: "a name has a dot", text: "a.b = 1", column: 2, expected: "an operator or the end" },
    { rule: "the operator is another language's", text: "a == 1", column: 4, expected: "a value" },
    { rule: "a string doesn't end", text: "a = 'it''s", column: 5, expected: "a value" },
    { rule: "a string has double quotes", text: 'a = "x"', column: 5, expected: "a value" },
    { rule: "a value is no condition", text: "b AND 1 + 1", column: 7, expected: "a condition, true or false" },
    { rule: "NULL is compared", text: "a <> NULL", column: 6, expected: "a value (of NULL one asks IS NULL)" },
    { rule: "text is put in order", text: "a BETWEEN 'a' AND 'b'", column: 11, expected: "a number" },
    { rule: "a comparison is put in order", text: "NOT a BETWEEN 1 AND 4", column: 1, expected: "a number" },
    { rule: "TRUE is compared with a number", text: "TRUE = 1", column: 8, expected: "TRUE or FALSE" },
    { rule: "IN has numbers", text: "a IN (5)", column: 7, expected: "a string in single quotes" },
    { rule: "IN is asked of a sum", text: "b AND a + 1 IN ('6')", column: 7, expected: "the name of a property" },
    { rule: "NOT is followed by nothing it negates", text: "a NOT NULL", column: 7, expected: "LIKE, BETWEEN or IN" },
    { rule: "an escape has two characters", text: "a LIKE 'x' ESCAPE 'xx'", column: 19, expected: "a single character" },
    { rule: "a function is called", text: "abs(a) = 5", column: 1, expected: "no function (there are none)" },
    { rule: "a hexadecimal number is too big", text: "a = 0x10000000000000000", column: 5, expected: "a number of at most 64 bits" },
    { rule: "columns count the prefix", text: "convert_string_expressions:a >", column: 31, expected: "a value" },
    { rule: "there is nothing", text: " ", column: 2, expected: "a value" },
    { rule: "it nests deeper than a stack is good for", text: `${"(".repeat(9_000)}a`, column: 101, expected: "at most 100 levels" },
    {
      rule: "its sums nest deeper than a stack is good for",
      text: `a${" + a".repeat(9_000)} = 1`,
      column: 405,
      expected: "at most 100 levels",
    },
  ])("$rule: $text", ({ text, column, expected }) => {
    expect(parseSelector(text)).toMatchObject({ fault: "selector-syntax", column, expected });
  });

  test("and told what stands there", () => {
    expect(parseSelector("amount > AND vip")).toMatchObject({
      message: "the selector breaks at column 10: expected a value, found AND, in: amount > AND vip",
    });
  });
});

test("a tree as a text parses to the same tree", () => {
  fc.assert(
    fc.property(anySelector, (selector) => {
      expect(parseSelector(print(selector))).toEqual(selector);
    }),
  );
});

test("any text is a selector or breaks at a column that it has", () => {
  const words = fc.constantFrom(
    "NOT",
    "and",
    "IN",
    "BETWEEN",
    "LIKE",
    "IS",
    "NULL",
    "(",
    ")",
    "'a'",
    "a",
    "5",
    "0x1",
    "-",
    "=",
    "<>",
    ",",
    "--",
    "/*",
    "\n",
  );
  const text = fc.oneof(
    fc.string(),
    fc.array(words).map((chosen) => chosen.join(" ")),
  );
  fc.assert(
    fc.property(text, (selector) => {
      const parsed = parseSelector(selector);
      if (!("fault" in parsed)) return;
      expect(parsed.column).toBeGreaterThan(0);
      expect(parsed.column).toBeLessThanOrEqual(selector.length + 1);
    }),
  );
});

describe("different texts of one selector", () => {
  test.for([
    { rule: "BETWEEN is two comparisons", text: "a BETWEEN 1 AND b", same: "a >= 1 AND a <= b" },
    { rule: "NOT BETWEEN is two comparisons", text: "a NOT BETWEEN 1 AND b", same: "a < 1 OR a > b" },
    { rule: "NOT IN negates IN", text: "a NOT IN ('x')", same: "NOT (a IN ('x'))" },
    { rule: "NOT LIKE negates LIKE", text: "a NOT LIKE 'x'", same: "NOT (a LIKE 'x')" },
    { rule: "<> negates =", text: "a <> 1", same: "NOT (a = 1)" },
    { rule: "IS NOT NULL negates IS NULL", text: "a IS NOT NULL", same: "NOT (a IS NULL)" },
    { rule: "NOT binds tighter than a comparison", text: "NOT a = 5", same: "(NOT a) = 5" },
    { rule: "AND binds tighter than OR", text: "a OR b AND c", same: "a OR (b AND c)" },
    { rule: "a leading zero means octal", text: "a = 010", same: "a = 8" },
    { rule: "an L is ignored", text: "a = 5L", same: "a = 5" },
    { rule: "comments and line ends are blanks", text: "a /* = 4 */ =-- 3\n5", same: "a = 5" },
  ])("$rule", ({ text, same }) => {
    expect(parseSelector(same)).not.toHaveProperty("fault");
    expect(parseSelector(text)).toEqual(parseSelector(same));
  });
});
