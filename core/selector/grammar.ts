import type { Cursor } from "./cursor.ts";
import { numberOf, stringOf } from "./literals.ts";
import { chain, conditionOf, equatedOf, type Infix, junction, orderedOf, partOf, type Rule } from "./rules.ts";
import type { Arithmetic, Expression, Ordering } from "./tree.ts";

const not = (operand: Expression): Expression => ({ op: "not", operand });

const primary: Rule = (cursor) => {
  const token = cursor.step();
  switch (token.kind) {
    case "name":
      return cursor.sees(["("]) ? cursor.refuse("no function (there are none)", token) : { op: "property", name: token.text };
    case "string":
      return { op: "literal", value: stringOf(token) };
    case "decimal":
    case "hex":
    case "octal":
    case "float":
      return { op: "literal", value: numberOf(token) ?? cursor.refuse("a number of at most 64 bits", token) };
    default:
  }
  if (token.text === "NULL") return { op: "literal", value: null };
  if (token.text === "TRUE" || token.text === "FALSE") return { op: "literal", value: token.text === "TRUE" };
  if (token.text !== "(") return cursor.refuse("a value", token);
  const inside = or(cursor);
  cursor.require(")");
  return inside;
};

/** NOT binds as tightly as a sign does. */
const unary: Rule = (cursor) =>
  cursor.deeper(() => {
    if (cursor.takes("+")) return unary(cursor);
    if (cursor.takes("-")) return { op: "negative", operand: unary(cursor) };
    return cursor.takes("NOT") ? not(conditionOf(cursor, partOf(cursor, unary))) : primary(cursor);
  });

const arithmetic =
  (op: Arithmetic, operand: Rule): Infix =>
  (cursor, { expression }) => ({ op, left: expression, right: operand(cursor) });

const product = chain(unary, { "*": arithmetic("*", unary), "/": arithmetic("/", unary), "%": arithmetic("%", unary) });
const sum = chain(product, { "+": arithmetic("+", product), "-": arithmetic("-", product) });

const number: Rule = (cursor) => orderedOf(cursor, partOf(cursor, sum));

const ordering =
  (op: Ordering): Infix =>
  (cursor, left) => ({ op, left: orderedOf(cursor, left), right: number(cursor) });

const between =
  (op: "and" | "or", low: Ordering, high: Ordering): Infix =>
  (cursor, part) => {
    const left = orderedOf(cursor, part);
    const least = number(cursor);
    cursor.require("AND");
    const most = number(cursor);
    const terms: Expression[] = [
      { op: low, left, right: least },
      { op: high, left, right: most },
    ];
    return { op, terms };
  };
const isBetween = between("and", ">=", "<=");
/** Another thing than NOT (… BETWEEN …): of what doesn't compare, both are false. */
const isNotBetween = between("or", "<", ">");

const string = (cursor: Cursor): string =>
  cursor.next.kind === "string" ? stringOf(cursor.step()) : cursor.refuse("a string in single quotes");

const like: Infix = (cursor, { expression: operand }) => {
  const pattern = string(cursor);
  if (!cursor.takes("ESCAPE")) return { op: "like", operand, pattern };
  const { next } = cursor;
  const escapedBy = string(cursor);
  return escapedBy.length === 1 ? { op: "like", operand, pattern, escapedBy } : cursor.refuse("a single character", next);
};

const isIn: Infix = (cursor, left) => {
  if (left.expression.op !== "property") return cursor.refuse("the name of a property", left);
  cursor.require("(");
  const values = [string(cursor)];
  while (cursor.takes(",")) values.push(string(cursor));
  cursor.require(")");
  return { op: "in", name: left.expression.name, values };
};

const negated: Infix = (cursor, left) => {
  if (cursor.takes("LIKE")) return not(like(cursor, left));
  if (cursor.takes("IN")) return not(isIn(cursor, left));
  return cursor.takes("BETWEEN") ? isNotBetween(cursor, left) : cursor.refuse("LIKE, BETWEEN or IN");
};

const comparison = chain(sum, {
  "<": ordering("<"),
  "<=": ordering("<="),
  ">": ordering(">"),
  ">=": ordering(">="),
  LIKE: like,
  BETWEEN: isBetween,
  IN: isIn,
  NOT: negated,
});

const equal: Infix = (cursor, part) => {
  const [left, right] = equatedOf(cursor, part, partOf(cursor, comparison));
  return { op: "=", left, right };
};

const isNull: Infix = (cursor, { expression: operand }) => {
  const isNegated = cursor.takes("NOT");
  cursor.require("NULL");
  return isNegated ? not({ op: "is-null", operand }) : { op: "is-null", operand };
};

const equality = chain(comparison, { "=": equal, "<>": (cursor, left) => not(equal(cursor, left)), IS: isNull });
const or = junction("or", "OR", junction("and", "AND", equality));

/** The whole text. */
export const parseCondition: Rule = (cursor) => {
  const part = partOf(cursor, or);
  if (cursor.next.kind !== "end") cursor.refuse("an operator or the end");
  return conditionOf(cursor, part);
};
