import { isNumeric, type Numeric, SelectorFailure, type Value } from "./values.ts";

/** Negative, zero or positive; `undefined` for kinds that don't compare, between which every comparison is false. Neither value is null. */
export const compare = (left: Value, right: Value): number | undefined => {
  if (typeof left === "string") return typeof right === "string" ? order(left, right) : undefined;
  if (typeof left === "boolean") return typeof right === "boolean" ? order(left, right) : undefined;
  return isNumeric(left) && isNumeric(right) ? compareNumbers(left, right) : undefined;
};

const order = <T extends string | boolean | number | bigint>(left: T, right: T): number => {
  if (left < right) return -1;
  return left > right ? 1 : 0;
};

/** Java's total order: -0 before 0, and last what is no number. */
const orderDoubles = (left: number, right: number): number => {
  if (left !== right) return left < right || left > right ? order(left, right) : order(Number.isNaN(left), Number.isNaN(right));
  return left === 0 ? order(1 / left, 1 / right) : 0;
};

const compareNumbers = ({ type: l, value: left }: Numeric, { type: r, value: right }: Numeric): number | undefined => {
  if (!isComparable(l, r)) return undefined;
  if (l === "double" || r === "double") return orderDoubles(Number(left), Number(right));
  if (l === "float" || r === "float") return orderDoubles(Math.fround(Number(left)), Math.fround(Number(right)));
  return order(left, right);
};

/** ActiveMQ widens the left side always, the right one only from `int` on: `byteProperty = 5` may hold while `5 = byteProperty` never does. */
const isComparable = (left: Numeric["type"], right: Numeric["type"]): boolean => {
  if (left === right) return true;
  if (left === "double" && right === "float") throw new SelectorFailure("a double doesn't compare with a float on its right");
  if (left === "decimal" || right === "decimal" || right === "byte") return false;
  return right !== "short" || left === "byte";
};
