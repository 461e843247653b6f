import type { NativeAttribute, NativeAttributes } from "../../core/message/message.ts";

/**
 * SNS filter policies of scope MessageAttributes, after the AWS documentation; whatever it leaves open is answered the worst way, `unsure`.
 * `lenient`: numbers are read out of text and text out of numbers, as emulators do.
 */
export interface Reading {
  readonly lenient: boolean;
  readonly unsure: boolean;
}

type Scalar = string | number | boolean | null;
type Policy = Readonly<Record<string, unknown>>;

export const passes = (policy: object, attributes: NativeAttributes, reading: Reading): boolean => {
  expectValid(policy);
  const seen = Object.fromEntries(Object.entries(attributes).filter(([, { type }]) => type !== "Binary"));
  if (Object.keys(seen).length === 0) return false;
  const passesAll = (entries: Policy): boolean =>
    Object.entries(entries).every(([key, conditions]) =>
      key === "$or"
        ? (conditions as Policy[]).some(passesAll)
        : (conditions as unknown[]).some((condition) => passesOne(condition, Object.hasOwn(seen, key) ? seen[key] : undefined, reading)),
    );
  return passesAll(policy as Policy);
};

const passesOne = (condition: unknown, attribute: NativeAttribute | undefined, reading: Reading): boolean => {
  const [operator, operand] = operatorOf(condition);
  if (operator === "exists") return (attribute !== undefined) === operand;
  if (attribute === undefined) return false;
  const values = valuesOf(attribute);
  if (values === undefined) return reading.unsure;
  return values.some((value) => passesValue(operator, operand, value, reading));
};

const operatorOf = (condition: unknown): readonly [string, unknown] => {
  if (typeof condition !== "object" || condition === null) return ["equals", condition];
  return Object.entries(condition)[0] ?? ["equals", undefined];
};

/** `undefined`: a type that the documentation doesn't name. */
const valuesOf = ({ type, value }: NativeAttribute): readonly Scalar[] | undefined => {
  if (type === "String") return [value];
  if (type === "Number") return [Number(value)];
  if (type !== "String.Array") return undefined;
  try {
    return [JSON.parse(value)].flat() as Scalar[];
  } catch {
    return undefined;
  }
};

const passesValue = (operator: string, operand: unknown, value: Scalar, reading: Reading): boolean => {
  switch (operator) {
    case "equals":
      return equals(operand, value, reading);
    case "prefix":
      return withText(value, reading, (text) => text.startsWith(operand as string));
    case "suffix":
      return withText(value, reading, (text) => text.endsWith(operand as string));
    case "numeric":
      return withNumber(value, reading, (number) => inRange(operand as (string | number)[], number));
    case "anything-but":
      if (isUnsure(value)) return reading.unsure;
      return !(operand as (string | number)[]).some((excluded) => equals(excluded, value, reading));
    default:
      throw new Error(`no such operator: ${operator}`);
  }
};

const equals = (operand: unknown, value: Scalar, reading: Reading): boolean =>
  typeof operand === "number"
    ? withNumber(value, reading, (number) => number === operand)
    : withText(value, reading, (text) => text === operand);

/** SNS wants some characters escaped twice, and compares numbers within bounds. */
const isUnsure = (value: Scalar): boolean =>
  typeof value === "number" ? !isExact(value) : typeof value === "string" && /["\\]/.test(value);
const isExact = (value: number): boolean => Math.abs(value) <= 1e9 && Number(value.toFixed(5)) === value;

const withText = (value: Scalar, { lenient, unsure }: Reading, test: (text: string) => boolean): boolean => {
  if (typeof value !== "string" && !lenient) return false;
  return isUnsure(value) ? unsure : test(`${value}`);
};

const withNumber = (value: Scalar, { lenient, unsure }: Reading, test: (number: number) => boolean): boolean => {
  if (typeof value !== "number" && !lenient) return false;
  const number = Number(value);
  return Number.isNaN(number) ? false : isExact(number) ? test(number) : unsure;
};

const tests: Readonly<Record<string, (value: number, limit: number) => boolean>> = {
  "=": (value, limit) => value === limit,
  "<": (value, limit) => value < limit,
  "<=": (value, limit) => value <= limit,
  ">": (value, limit) => value > limit,
  ">=": (value, limit) => value >= limit,
};

const inRange = (range: readonly (string | number)[], value: number): boolean =>
  pairs(range).every(([operator, limit]) => tests[operator]?.(value, limit));

const pairs = (range: readonly (string | number)[]): readonly (readonly [string, number])[] =>
  Array.from({ length: range.length / 2 }, (_, index) => [`${range[2 * index]}`, Number(range[2 * index + 1])] as const);

/** What Subscribe refuses: too many keys or combinations, numbers that are too big or too fine, empty lists and empty ranges. */
const expectValid = (policy: object): void => {
  const { $or, ...keys } = policy as { readonly $or?: readonly object[] };
  const alternatives = $or === undefined ? [keys] : $or.map((alternative) => ({ ...keys, ...alternative }));
  if ($or !== undefined && $or.length < 2) throw new Error("$or needs two alternatives");
  const lists = alternatives.map((alternative) => Object.values(alternative) as unknown[][]);
  if (lists.flat().some(({ length }) => length === 0)) throw new Error("an empty list");
  if (lists.flat().length > 5) throw new Error("more than five keys");
  const combinations = lists.map((conditions) => conditions.reduce((product, { length }) => product * length, 1));
  if (combinations.reduce((sum, count) => sum + count, 0) > 150) throw new Error("more than 150 combinations");
  for (const number of numbersIn(policy)) if (!isExact(number)) throw new Error(`SNS doesn't take ${number}`);
  for (const range of rangesIn(policy)) {
    const [low, high] = pairs(range);
    if (high && low && low[1] >= high[1]) throw new Error("an empty range");
  }
};

const numbersIn = (value: unknown): readonly number[] => {
  if (typeof value === "number") return [value];
  return typeof value === "object" && value !== null ? Object.values(value).flatMap(numbersIn) : [];
};

const rangesIn = (value: unknown): readonly (string | number)[][] => {
  if (typeof value !== "object" || value === null) return [];
  return "numeric" in value ? [value.numeric as (string | number)[]] : Object.values(value).flatMap(rangesIn);
};
