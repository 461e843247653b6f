import { isOpenNumber, isOpenText } from "../message/mirror.ts";
import { negate } from "./arithmetic.ts";
import { type AttributeTest, absent, exactly, isIn, present } from "./attribute-test.ts";
import type { Expression, Ordering } from "./tree.ts";
import { isNumeric, type Value } from "./values.ts";

/** A property beside a literal. With the property on the right, ActiveMQ has other answers for what is missing, and for bytes and shorts. */
export interface Compared {
  readonly name: string;
  readonly value: Value;
  readonly isOnRight: boolean;
}

export const comparedIn = (left: Expression, right: Expression): Compared | undefined => {
  const literals = { left: literalOf(left), right: literalOf(right) };
  if (left.op === "property" && literals.right !== undefined) return { name: left.name, value: literals.right, isOnRight: false };
  return right.op === "property" && literals.left !== undefined ? { name: right.name, value: literals.left, isOnRight: true } : undefined;
};

/** A sign before a literal is a part of it. */
const literalOf = (expression: Expression): Value | undefined => {
  if (expression.op === "literal") return expression.value;
  const operand = expression.op === "negative" ? literalOf(expression.operand) : undefined;
  return operand === undefined ? undefined : negate(operand);
};

/** One that SNS compares as ActiveMQ does, even with a float, for which ActiveMQ rounds an integer. */
const openNumber = (value: Value): number | undefined => {
  if (!isNumeric(value)) return undefined;
  const number = Number(value.value);
  return isOpenNumber(number) && (value.type === "double" || number === Math.fround(number)) ? number : undefined;
};

export const isEqual = ({ value, isOnRight }: Compared): AttributeTest | undefined => {
  if (typeof value === "boolean") return exactly(`${value}`);
  if (typeof value === "string") return isIn([value]);
  const number = openNumber(value);
  return number === undefined ? undefined : { conditions: [{ numeric: ["=", number] }], exact: !isOnRight };
};

export const isUnequal = ({ value, isOnRight }: Compared): AttributeTest | undefined => {
  const missing = isOnRight ? [absent] : [];
  if (typeof value === "boolean") return exactly({ "anything-but": [`${value}`] }, ...missing);
  if (typeof value === "string" && !isOpenText(value)) return exactly(present, ...missing);
  const number = openNumber(typeof value === "string" ? { type: "double", value: Number(value) } : value);
  // A number and the text of its digits are unequal: in case SNS makes no difference, the other one is named too.
  if (typeof value === "string") return exactly({ "anything-but": [value] }, ...equalTo(number), ...missing);
  return number === undefined || isOnRight ? undefined : exactly({ "anything-but": [number] }, `${number}`);
};

const equalTo = (number: number | undefined) => (number === undefined ? [] : [{ numeric: ["=", number] }]);

const flipped: Readonly<Record<Ordering, Ordering>> = { "<": ">", "<=": ">=", ">": "<", ">=": "<=" };

export const isOrdered = (op: Ordering, { value, isOnRight }: Compared): AttributeTest | undefined => {
  const number = openNumber(value);
  return number === undefined ? undefined : { conditions: [{ numeric: [isOnRight ? flipped[op] : op, number] }], exact: !isOnRight };
};
