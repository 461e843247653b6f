import type { Cursor, Span } from "./cursor.ts";
import { type Expression, isCondition } from "./tree.ts";
import { isNumeric } from "./values.ts";

/** Reads as much as it can make an expression of. */
export type Rule = (cursor: Cursor) => Expression;

export interface Part extends Span {
  readonly expression: Expression;
}

export const partOf = (cursor: Cursor, rule: Rule): Part => {
  const { from } = cursor.next;
  const expression = rule(cursor);
  return { expression, from, to: cursor.passed };
};

/** What an operator makes of the part left of it, once it was taken itself. */
export type Infix = (cursor: Cursor, left: Part) => Expression;

/** Operators of one rank, from left to right. */
export const chain =
  (operand: Rule, infixes: Readonly<Record<string, Infix>>): Rule =>
  (cursor) => {
    const texts = Object.keys(infixes);
    let left = partOf(cursor, operand);
    for (let links = 0; cursor.sees(texts); links += 1) {
      if (links > 0) cursor.deepen();
      const infix = infixes[cursor.step().text] as Infix;
      left = { ...left, expression: infix(cursor, left), to: cursor.passed };
    }
    return left.expression;
  };

export const junction =
  (op: "and" | "or", keyword: string, operand: Rule): Rule =>
  (cursor) => {
    const first = partOf(cursor, operand);
    if (!cursor.sees([keyword])) return first.expression;
    const terms = [conditionOf(cursor, first)];
    while (cursor.takes(keyword)) terms.push(conditionOf(cursor, partOf(cursor, operand)));
    return { op, terms };
  };

/** A bare property is a condition; no other value is one. */
export const conditionOf = (cursor: Cursor, part: Part): Expression => {
  const { expression } = part;
  if (expression.op === "property") return { op: "holds", operand: expression };
  return isCondition(expression) ? expression : cursor.refuse("a condition, true or false", part);
};

/** Numbers have an order; properties and what is computed may turn out to be numbers. */
export const orderedOf = (cursor: Cursor, part: Part): Expression => {
  const { expression } = part;
  const isOrdered = expression.op === "literal" ? isNumeric(expression.value) : !isCondition(expression);
  return isOrdered ? expression : cursor.refuse("a number", part);
};

/** Two sides that `=` may compare: NULL has IS NULL, and a literal TRUE or FALSE on the left takes no other literal. */
export const equatedOf = (cursor: Cursor, left: Part, right: Part): readonly [Expression, Expression] => {
  for (const part of [left, right]) if (literalType(part) === "null") cursor.refuse("a value (of NULL one asks IS NULL)", part);
  const isMixed = literalType(left) === "boolean" && !["boolean", undefined].includes(literalType(right));
  return isMixed ? cursor.refuse("TRUE or FALSE", right) : [left.expression, right.expression];
};

const literalType = ({ expression }: Part): string | undefined => {
  if (expression.op !== "literal") return undefined;
  return expression.value === null ? "null" : typeof expression.value;
};
