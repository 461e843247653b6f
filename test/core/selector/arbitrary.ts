import fc from "fast-check";
import type { Message } from "../../../core/message/message.ts";
import { type Expression, isCondition, type Selector } from "../../../core/selector/tree.ts";
import { integerOf } from "../../../core/selector/values.ts";
import { aMessage } from "../../support/a-message.ts";
import { anyProperty } from "../message/arbitrary.ts";

const names = ["a", "b", "c", "constructor", "JMSPriority", "JMSType", "JMSXGroupSeq"];
const texts = fc.oneof(fc.constantFrom("", "a", "ab", "%", "it's", "5", "true"), fc.string());

const number = fc
  .oneof(fc.constantFrom(0n, 1n, 5n), fc.nat().map(BigInt), fc.bigInt({ min: 0n, max: 2n ** 65n }))
  .map((value): Expression => ({ op: "literal", value: integerOf(value) }));
const double = fc
  .oneof(fc.constantFrom(0, 1, 2.5), fc.double({ min: 0, noNaN: true, noDefaultInfinity: true }))
  .map((value): Expression => ({ op: "literal", value: { type: "double", value: value === 0 ? 0 : value } }));
const text = texts.map((value): Expression => ({ op: "literal", value }));
const property = fc.constantFrom(...names).map((name): Expression => ({ op: "property", name }));
const truth = fc.constantFrom(true, false, null).map((value): Expression => ({ op: "literal", value }));

const isNull = (expression: Expression) => expression.op === "literal" && expression.value === null;
const equates = (left: Expression, right: Expression) =>
  !isNull(left) &&
  !isNull(right) &&
  (left.op !== "literal" || right.op !== "literal" || typeof left.value !== "boolean" || typeof right.value === "boolean");

const { condition } = fc.letrec<{ number: Expression; operand: Expression; condition: Expression; tested: Expression }>((tie) => ({
  /** What may stand beside `<`. */
  number: fc.oneof(
    { depthSize: "small", withCrossShrink: true },
    property,
    number,
    double,
    fc.record({ op: fc.constant("negative" as const), operand: tie("operand") }),
    fc.record({
      op: fc.constantFrom("+" as const, "-" as const, "*" as const, "/" as const, "%" as const),
      left: tie("operand"),
      right: tie("operand"),
    }),
  ),
  /** What may stand beside `=`. */
  operand: fc.oneof({ depthSize: "small", withCrossShrink: true }, property, text, tie("number"), tie("tested")),
  /** A condition that isn't a bare property. */
  tested: fc.oneof(
    { depthSize: "small", withCrossShrink: true },
    truth,
    fc.record({ op: fc.constant("not" as const), operand: tie("condition") }),
    fc.record({ op: fc.constant("is-null" as const), operand: tie("operand") }),
    fc.record({ op: fc.constantFrom("and" as const, "or" as const), terms: fc.array(tie("condition"), { minLength: 2, maxLength: 4 }) }),
    fc
      .record({ op: fc.constant("=" as const), left: tie("operand"), right: tie("operand") })
      .filter(({ left, right }) => equates(left, right)),
    fc.record({ op: fc.constantFrom("<" as const, "<=" as const, ">" as const, ">=" as const), left: tie("number"), right: tie("number") }),
    fc.record(
      { op: fc.constant("like" as const), operand: tie("operand"), pattern: texts, escapedBy: fc.constantFrom("!", "%", "'") },
      { requiredKeys: ["op", "operand", "pattern"] },
    ),
    fc.record({ op: fc.constant("in" as const), name: fc.constantFrom(...names), values: fc.array(texts, { minLength: 1, maxLength: 3 }) }),
  ),
  condition: fc.oneof(
    { depthSize: "small", withCrossShrink: true },
    property.map((operand): Expression => ({ op: "holds", operand })),
    tie("tested"),
  ),
}));

/** Any tree that some text parses to. */
export const anyCondition: fc.Arbitrary<Expression> = condition.filter(isCondition);
export const anySelector: fc.Arbitrary<Selector> = fc.record({ condition: anyCondition, convertStrings: fc.boolean() });

/** A message whose properties are among those that the selectors ask for. */
export const anySelectable: fc.Arbitrary<Message> = fc
  .record(
    {
      properties: fc.dictionary(fc.constantFrom(...names), anyProperty),
      priority: fc.nat({ max: 9 }),
      type: texts,
      groupSequence: fc.nat(),
    },
    { requiredKeys: ["properties", "priority"] },
  )
  .map(aMessage);
