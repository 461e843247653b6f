import type { Value } from "./values.ts";

/** A selector as its grammar understands it; `BETWEEN`, `<>` and the negated operators are gone into what they stand for. */
export type Expression =
  | { readonly op: "literal"; readonly value: Value }
  | { readonly op: "property"; readonly name: string }
  /** `holds`: a bare property as a condition. */
  | { readonly op: "holds" | "not" | "negative" | "is-null"; readonly operand: Expression }
  | { readonly op: "and" | "or"; readonly terms: readonly Expression[] }
  | { readonly op: Comparison | Arithmetic; readonly left: Expression; readonly right: Expression }
  | { readonly op: "like"; readonly operand: Expression; readonly pattern: string; readonly escapedBy?: string }
  | { readonly op: "in"; readonly name: string; readonly values: readonly string[] };

export type Comparison = "=" | Ordering;
export type Ordering = "<" | "<=" | ">" | ">=";
export type Arithmetic = "+" | "-" | "*" | "/" | "%";

export interface Selector {
  readonly condition: Expression;
  /** Written with the prefix `convert_string_expressions:`: a comparison reads text as the type of its other side. */
  readonly convertStrings: boolean;
}

const valued: ReadonlySet<Expression["op"]> = new Set(["property", "negative", "+", "-", "*", "/", "%"]);

/** Comes to true, false or unknown, never to another value. */
export const isCondition = (expression: Expression): boolean =>
  expression.op === "literal" ? expression.value === null || typeof expression.value === "boolean" : !valued.has(expression.op);
