import type { Arithmetic } from "./tree.ts";
import { isNumeric, type Numeric, SelectorFailure, type Value } from "./values.ts";

type Operation<T> = (left: T, right: T) => T;

const onDoubles: Readonly<Record<Arithmetic, Operation<number>>> = {
  "+": (left, right) => left + right,
  "-": (left, right) => left - right,
  "*": (left, right) => left * right,
  "/": (left, right) => left / right,
  "%": (left, right) => left % right,
};

const onIntegers: Partial<Readonly<Record<Arithmetic, Operation<bigint>>>> = {
  "+": (left, right) => left + right,
  "-": (left, right) => left - right,
  "*": (left, right) => left * right,
};

const isFloating = ({ type }: Numeric): boolean => type === "float" || type === "double";

/** Java's arithmetic, but that `/` and `%` are of doubles always: integers wrap at the width of the wider one, an `int` at least. */
export const calculate = (op: Arithmetic, left: Value, right: Value): Value => {
  if (left === null || right === null) return null;
  if (op === "+" && typeof left === "string") return left + textOf(right);
  if (!isNumeric(left) || !isNumeric(right)) throw new SelectorFailure(`${textOf(left)} ${op} ${textOf(right)} is no number`);
  const onBoth = isFloating(left) || isFloating(right) ? undefined : onIntegers[op];
  if (onBoth === undefined) return { type: "double", value: onDoubles[op](Number(left.value), Number(right.value)) };
  const value = onBoth(BigInt(left.value), BigInt(right.value));
  return left.type === "long" || right.type === "long" ? long(value) : int(value);
};

const int = (value: bigint): Numeric => ({ type: "int", value: Number(BigInt.asIntN(32, value)) });
const long = (value: bigint): Numeric => ({ type: "long", value: BigInt.asIntN(64, value) });

/** Of what isn't a number, null. The least `long` is written as the negative of a literal that is none. */
export const negate = (operand: Value): Value => {
  if (!isNumeric(operand)) return null;
  const { type, value } = operand;
  switch (type) {
    case "int":
      return int(-BigInt(value));
    case "long":
      return long(-BigInt(value));
    case "float":
    case "double":
      return { type, value: -value };
    case "decimal":
      return value === 2n ** 63n ? long(-value) : { type, value: -value };
    case "byte":
    case "short":
      throw new SelectorFailure(`a ${type} has no negative`);
    default:
      return type satisfies never;
  }
};

/** As Java writes it. */
const textOf = (value: Value): string => {
  if (!isNumeric(value)) return typeof value === "object" ? "" : `${value}`;
  return isFloating(value) ? textOfDouble(Number(value.value)) : `${value.value}`;
};

const textOfDouble = (value: number): string => {
  if (!Number.isFinite(value)) return `${value}`;
  const isPlain = value === 0 || (Math.abs(value) >= 1e-3 && Math.abs(value) < 1e7);
  const [digits = "", exponent] = isPlain ? [Object.is(value, -0) ? "-0" : `${value}`] : value.toExponential().split("e");
  const point = digits.includes(".") ? digits : `${digits}.0`;
  return exponent === undefined ? point : `${point}E${Number(exponent)}`;
};
