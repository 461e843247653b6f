import { hiddenAttribute } from "../message/attributes.ts";
import { type Alternative, both, either, isWithinLimits, type Passing } from "./alternatives.ts";
import { type Producers, termOf } from "./attribute-term.ts";
import { parseSelector } from "./parse.ts";
import type { Expression } from "./tree.ts";

export interface FilterPolicy {
  /** As SNS takes it, of scope `MessageAttributes`. */
  readonly policy: Alternative | { readonly $or: readonly Alternative[] };
  /** Of messages that show all their properties (core/message/outside.ts), it passes those that the selectors accept and no other. */
  readonly exact: boolean;
}

/** Why there is none. */
export interface Untranslatable {
  readonly untranslatable: string;
}

/**
 * An SNS filter policy that passes whatever one of the selectors accepts. It only spares deliveries: what hides properties passes too, and
 * whoever receives asks the selector again.
 */
export const filterPolicyOf = (selectors: readonly string[], producers: Producers): FilterPolicy | Untranslatable => {
  const conditions: Expression[] = [];
  for (const text of selectors) {
    const selector = parseSelector(text);
    if ("fault" in selector) return { untranslatable: selector.message };
    if (selector.convertStrings) return { untranslatable: `SNS converts no text to numbers, as asked for by: ${text}` };
    conditions.push(selector.condition);
  }
  const passing = translate({ op: "or", terms: conditions }, false, producers);
  return passing === undefined ? { untranslatable: reasons[producers] } : policyOf(passing);
};

const reasons: Readonly<Record<Producers, string>> = {
  any: 'of what anybody publishes, SNS and selectors agree on = and IN with text only: declare producers: "spanmq" if only SpanMQ\'s clients publish here',
  spanmq:
    "SNS compares properties with literals, four at most and in 149 combinations: no headers, no arithmetic, no properties with each other",
};

const policyOf = ({ alternatives, exact }: Passing): FilterPolicy => {
  const hidden: Alternative = { [hiddenAttribute]: [{ exists: true }] };
  return { policy: alternatives.length === 0 ? hidden : { $or: [...alternatives, hidden] }, exact };
};

/** Negations go down to the comparisons: NOT (a AND b) is NOT a OR NOT b, unknown or not. */
const translate = (expression: Expression, isNegated: boolean, producers: Producers): Passing | undefined => {
  if (expression.op === "not") return translate(expression.operand, !isNegated, producers);
  if (expression.op === "and" || expression.op === "or") {
    const terms = expression.terms.map((term) => translate(term, isNegated, producers));
    return (expression.op === "and") === isNegated ? anyOf(terms) : allOf(terms);
  }
  const term = termOf(expression, isNegated, producers);
  if (term === undefined) return undefined;
  const { name, conditions, exact } = term;
  const passing = { alternatives: conditions.length === 0 ? [] : [{ [name]: conditions }], exact };
  return isWithinLimits(passing) ? passing : undefined;
};

const anyOf = (terms: readonly (Passing | undefined)[]): Passing | undefined =>
  terms.reduce(
    (one, other) => {
      const passing = one && other && either(one, other);
      return passing && isWithinLimits(passing) ? passing : undefined;
    },
    { alternatives: [], exact: true },
  );

/** What doesn't translate, or no longer fits, is left to the selector. */
const allOf = (terms: readonly (Passing | undefined)[]): Passing | undefined =>
  terms.reduce((one, other) => {
    if (one === undefined || other === undefined) return inexact(one ?? other);
    const passing = both(one, other);
    return isWithinLimits(passing) ? passing : inexact(one);
  });

const inexact = (passing: Passing | undefined): Passing | undefined => passing && { ...passing, exact: false };
