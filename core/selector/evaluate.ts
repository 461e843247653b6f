import { calculate, negate } from "./arithmetic.ts";
import { compare } from "./compare.ts";
import { converted } from "./convert.ts";
import { headerNamed, type Selectable } from "./headers.ts";
import { likePattern } from "./like.ts";
import type { Expression, Ordering, Selector } from "./tree.ts";
import { type Value, valueOfNative, valueOfProperty } from "./values.ts";

/** What an expression comes to for a message; throws a `SelectorFailure` where there is no answer. */
export type Evaluate<T extends Value = Value> = (message: Selectable) => T;
type Truth = boolean | null;

/** A selector as a closure. Three-valued: null is unknown. */
export const evaluatorOf = ({ condition, convertStrings }: Selector): Evaluate<Truth> =>
  compileWith(convertStrings)(condition) as Evaluate<Truth>;

const compileWith = (convertStrings: boolean) => {
  const compareTo = convertStrings ? compareConverted : compare;
  const compile = (expression: Expression): Evaluate => {
    switch (expression.op) {
      case "literal":
        return () => expression.value;
      case "property":
        return property(expression.name);
      case "holds":
        return holds(compile(expression.operand));
      case "not":
        return not(compile(expression.operand));
      case "negative":
        return negative(compile(expression.operand));
      case "is-null":
        return isNull(compile(expression.operand));
      case "and":
        return junction(expression.terms.map(compile), false);
      case "or":
        return junction(expression.terms.map(compile), true);
      case "like":
        return like(compile(expression.operand), likePattern(expression.pattern, expression.escapedBy));
      case "in":
        return isIn(property(expression.name), new Set(expression.values));
      case "=":
        return equal(compile(expression.left), compile(expression.right), compareTo);
      case "<":
      case "<=":
      case ">":
      case ">=":
        return ordered(compile(expression.left), compile(expression.right), compareTo, orders[expression.op]);
      default: {
        const { op } = expression;
        const [left, right] = [compile(expression.left), compile(expression.right)];
        return (message) => calculate(op, left(message), right(message));
      }
    }
  };
  return compile;
};

const property = (name: string): Evaluate =>
  headerNamed(name) ??
  ((message) => {
    const own = message.properties[name];
    return own === undefined ? valueOfNative(message.native[name]) : valueOfProperty(own);
  });

const holds =
  (operand: Evaluate): Evaluate =>
  (message) => {
    const value = operand(message);
    return value === null ? null : value === true;
  };

const not =
  (operand: Evaluate): Evaluate =>
  (message) => {
    const value = operand(message);
    return value === null ? null : !value;
  };

const negative =
  (operand: Evaluate): Evaluate =>
  (message) =>
    negate(operand(message));

const isNull =
  (operand: Evaluate): Evaluate =>
  (message) =>
    operand(message) === null;

/** One term of the value that `decides` settles it; else an unknown one leaves it unknown. */
const junction =
  (terms: readonly Evaluate[], decides: boolean): Evaluate =>
  (message) => {
    let answer: Truth = !decides;
    for (const term of terms) {
      const value = term(message);
      if (value === decides) return decides;
      if (value === null) answer = null;
    }
    return answer;
  };

const like =
  (operand: Evaluate, pattern: RegExp): Evaluate =>
  (message) => {
    const value = operand(message);
    if (value === null) return null;
    return typeof value === "string" && pattern.test(value);
  };

const isIn =
  (operand: Evaluate, values: ReadonlySet<string>): Evaluate =>
  (message) => {
    const value = operand(message);
    return typeof value === "string" ? values.has(value) : null;
  };

/** Lopsided, as in ActiveMQ: a missing left side is unknown, a missing right one unequal, and two missing ones are equal. */
const equal =
  (left: Evaluate, right: Evaluate, compareTo: typeof compare): Evaluate =>
  (message) => {
    const a = left(message);
    const b = right(message);
    if (a === b) return true;
    if (a === null) return null;
    return b !== null && compareTo(a, b) === 0;
  };

const ordered =
  (left: Evaluate, right: Evaluate, compareTo: typeof compare, holdsFor: (order: number) => boolean): Evaluate =>
  (message) => {
    const a = left(message);
    const b = a === null ? null : right(message);
    if (a === null || b === null) return null;
    const order = compareTo(a, b);
    return order !== undefined && holdsFor(order);
  };

const orders: Readonly<Record<Ordering, (order: number) => boolean>> = {
  "<": (order) => order < 0,
  "<=": (order) => order <= 0,
  ">": (order) => order > 0,
  ">=": (order) => order >= 0,
};

const compareConverted = (left: Value, right: Value): number | undefined => {
  const both = converted(left, right);
  return both && compare(...both);
};
