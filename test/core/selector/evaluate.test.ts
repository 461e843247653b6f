import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { PropertyValue } from "../../../core/message/message.ts";
import { compileSelector } from "../../../core/selector/compile.ts";
import { evaluatorOf } from "../../../core/selector/evaluate.ts";
import { parseSelector } from "../../../core/selector/parse.ts";
import type { Expression } from "../../../core/selector/tree.ts";
import { SelectorFailure } from "../../../core/selector/values.ts";
import { aMessage } from "../../support/a-message.ts";
import { anyCondition, anySelectable, anySelector } from "./arbitrary.ts";

const answerTo = (text: string, message = aMessage()) => {
  const selector = parseSelector(text);
  if ("fault" in selector) throw new Error(selector.message);
  return evaluatorOf(selector)(message);
};

/** The answer, or that there is none. */
const outcome = (condition: Expression, message: Parameters<typeof answerTo>[1]) => {
  try {
    return evaluatorOf({ condition, convertStrings: false })(message ?? aMessage());
  } catch (thrown) {
    expect(thrown).toBeInstanceOf(SelectorFailure);
    return "failure";
  }
};

describe("three-valued logic", () => {
  const not = (operand: Expression): Expression => ({ op: "not", operand });
  const law = (both: (a: Expression, b: Expression) => readonly [Expression, Expression]) =>
    fc.assert(
      fc.property(anyCondition, anyCondition, anySelectable, (a, b, message) => {
        const [left, right] = both(a, b);
        expect(outcome(left, message)).toBe(outcome(right, message));
      }),
    );

  test("NOT NOT a is a", () => law((a) => [not(not(a)), a]));
  test("NOT (a AND b) is NOT a OR NOT b", () => law((a, b) => [not({ op: "and", terms: [a, b] }), { op: "or", terms: [not(a), not(b)] }]));
  test("a AND (b AND a) is (a AND b) AND a", () =>
    law((a, b) => [
      { op: "and", terms: [a, { op: "and", terms: [b, a] }] },
      { op: "and", terms: [{ op: "and", terms: [a, b] }, a] },
    ]));
});

test("whatever the selector and the message, it accepts exactly where the answer is true", () => {
  fc.assert(
    fc.property(anySelector, anySelectable, ({ condition }, message) => {
      expect([true, false, null, "failure"]).toContain(outcome(condition, message));
    }),
  );
});

describe("types", () => {
  const n = (type: "byte" | "short" | "int" | "float" | "double", value: number): PropertyValue => ({ type, value });
  const long = (value: string): PropertyValue => ({ type: "long", value });
  const text = (value: string): PropertyValue => ({ type: "string", value });
  test.for<{ rule: string; selector: string; a: PropertyValue; b?: PropertyValue; answer: boolean | null }>([
    { rule: "a byte compares with what is wider on its right", selector: "a = 5", a: n("byte", 5), answer: true },
    { rule: "and with nothing wider on its left", selector: "5 = a", a: n("byte", 5), answer: false },
    { rule: "so that there it is also unequal", selector: "5 <> a", a: n("byte", 5), answer: true },
    { rule: "an int widens on either side", selector: "5.0 = a AND a = 5.0", a: n("int", 5), answer: true },
    { rule: "longs are exact", selector: "a = 9007199254740993", a: long("9007199254740993"), answer: true },
    { rule: "the least long is a literal", selector: "a = -9223372036854775808", a: long("-9223372036854775808"), answer: true },
    { rule: "an int wraps", selector: "a + 1 = -2147483648", a: n("int", 2_147_483_647), answer: true },
    { rule: "a long wraps", selector: "a + 1 = b", a: long("9223372036854775807"), b: long("-9223372036854775808"), answer: true },
    { rule: "a division is of doubles", selector: "a / 2 = 3.5", a: n("int", 7), answer: true },
    { rule: "0 / 0 is equal to itself, as in Java", selector: "a / a = a / a", a: n("int", 0), answer: true },
    { rule: "0.0 is above -0.0, as in Java", selector: "a > -a", a: n("double", 0), answer: true },
    { rule: "text and number are unequal", selector: "a <> 5", a: text("5"), answer: true },
    { rule: "two texts have an order", selector: "a < b", a: text("abc"), b: text("abd"), answer: true },
    { rule: "text takes any value behind it", selector: "a + 1.0 + 'x' = 'n1.0x'", a: text("n"), answer: true },
    { rule: "as Java writes it", selector: "a + b = 'n1.0E7'", a: text("n"), b: n("double", 1e7), answer: true },
    { rule: "of text there is no negative", selector: "-a IS NULL", a: text("n"), answer: true },
    { rule: "IN of a number is unknown", selector: "a NOT IN ('5')", a: n("int", 5), answer: null },
    { rule: "LIKE of a number is false", selector: "a LIKE '5'", a: n("int", 5), answer: false },
    { rule: "a missing right side is unequal", selector: "a = b", a: n("int", 5), answer: false },
    { rule: "a missing left side is unknown", selector: "b = a", a: n("int", 5), answer: null },
    { rule: "two missing ones are equal", selector: "b = c", a: n("int", 5), answer: true },
    { rule: "what every object has is no property", selector: "constructor IS NULL AND __proto__ IS NULL", a: n("int", 5), answer: true },
    { rule: "a null is as good as missing", selector: "a IS NULL", a: { type: "null" }, answer: true },
  ])("$rule: $selector", ({ selector, a, b, answer }) => {
    expect(answerTo(selector, aMessage({ properties: { a, ...(b && { b }) } }))).toBe(answer);
  });

  test.for([
    { rule: "text is read as the number beside it", selector: "convert_string_expressions:a = '5' AND b <= a", answer: true },
    { rule: "but not what is no such number", selector: "convert_string_expressions:a <> '5.0' AND a <> 'x'", answer: true },
    { rule: "which makes no comparison hold", selector: "convert_string_expressions:a < c", answer: false },
  ])("$rule: $selector", ({ selector, answer }) => {
    expect(answerTo(selector, aMessage({ properties: { a: n("int", 5), b: text("5"), c: text("6x") } }))).toBe(answer);
  });
});

describe("a plain producer's attributes are properties", () => {
  const native = {
    region: { type: "String", value: "eu" },
    amount: { type: "Number", value: "1250.75" },
    count: { type: "Number", value: "5" },
    tags: { type: "String.Array", value: '["a"]' },
    raw: { type: "Binary", value: "AAAA" },
  };
  test.for([
    { rule: "text is text", selector: "region = 'eu'", answer: true },
    { rule: "a number compares", selector: "amount > 1000 AND 5 = count", answer: true },
    { rule: "a list is there, and equal to nothing", selector: "tags IS NOT NULL AND tags <> 'a' AND tags <> '[\"a\"]'", answer: true },
    { rule: "bytes are there, and like nothing", selector: "raw IS NULL OR raw LIKE '%'", answer: false },
    {
      rule: "a property of the name counts before it",
      selector: "region = 'us'",
      answer: true,
      properties: { region: { type: "string", value: "us" } },
    },
  ] as const)("$rule: $selector", ({ selector, answer, ...fields }) => {
    expect(answerTo(selector, aMessage({ native, ...fields }))).toBe(answer);
  });
});

describe("compileSelector", () => {
  const message = aMessage({ properties: { a: { type: "int", value: 5 } } });
  test.for([
    { rule: "true is accepted", text: "a = 5", accepts: true },
    { rule: "unknown isn't", text: "missing = 5", accepts: false },
    { rule: "an evaluation that fails isn't", text: "a + 'x' = '5x'", accepts: false },
    { rule: "a text that is no selector accepts nothing", text: "a =", accepts: false },
    { rule: "the prefix stays with the text that has it", text: "convert_string_expressions:'5' = a", accepts: true },
    { rule: "and doesn't rub off on the text without it", text: "'5' = a", accepts: false },
  ])("$rule", ({ text, accepts }) => {
    expect(compileSelector(text)(message)).toBe(accepts);
  });

  test("compiles a text once, and forgets the oldest of very many", () => {
    const first = compileSelector("a = 4");
    expect(compileSelector("a = 4")).toBe(first);
    for (let i = 0; i < 1_000; i += 1) compileSelector(`a = 4 AND b = ${i}`);
    expect(compileSelector("a = 4")).not.toBe(first);
  });
});
