import type { Expression, Selector } from "../../../core/selector/tree.ts";
import type { Value } from "../../../core/selector/values.ts";

/** A text that parses to the tree. */
export const print = ({ condition, convertStrings }: Selector): string =>
  `${convertStrings ? "convert_string_expressions:" : ""}${printed(condition)}`;

const inside = (expression: Expression): string => `(${printed(expression)})`;
const quoted = (text: string): string => `'${text.replaceAll("'", "''")}'`;

const printed = (expression: Expression): string => {
  switch (expression.op) {
    case "literal":
      return literal(expression.value);
    case "property":
      return expression.name;
    case "holds":
      return printed(expression.operand);
    case "not":
      return `NOT ${inside(expression.operand)}`;
    case "negative":
      return `-${inside(expression.operand)}`;
    case "is-null":
      return `${inside(expression.operand)} IS NULL`;
    case "and":
    case "or":
      return expression.terms.map(inside).join(` ${expression.op} `);
    case "like": {
      const { operand, pattern, escapedBy } = expression;
      return `${inside(operand)} LIKE ${quoted(pattern)}${escapedBy === undefined ? "" : ` ESCAPE ${quoted(escapedBy)}`}`;
    }
    case "in":
      return `${expression.name} IN (${expression.values.map(quoted).join(", ")})`;
    default:
      return `${inside(expression.left)} ${expression.op} ${inside(expression.right)}`;
  }
};

const literal = (value: Value): string => {
  if (value === null) return "NULL";
  if (typeof value === "string") return quoted(value);
  if (typeof value === "boolean") return `${value}`;
  if (value.type === "opaque") throw new Error("no literal is opaque");
  const digits = `${value.value}`;
  return value.type === "double" && !/[.e]/.test(digits) ? `${digits}.` : digits;
};
