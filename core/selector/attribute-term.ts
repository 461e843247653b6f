import { isOpenName } from "../message/mirror.ts";
import { isXmlLegal } from "../message/text.ts";
import { comparedIn, isEqual, isOrdered, isUnequal } from "./attribute-comparison.ts";
import { type AttributeTest, atLeast, exactly, isIn, isLike, isNotIn, isOneOf, present } from "./attribute-test.ts";
import { headerNamed } from "./headers.ts";
import type { Expression } from "./tree.ts";

/** Who publishes on a topic. Of ours it is known how properties show (core/message/mirror.ts), of anybody only that text is text. */
export type Producers = "any" | "spanmq";

export interface AttributeTerm extends AttributeTest {
  readonly name: string;
}

/** A test of one attribute that passes whatever the expression, or its negation, accepts; `undefined` if there is none. */
export const termOf = (expression: Expression, isNegated: boolean, producers: Producers): AttributeTerm | undefined => {
  if (producers === "spanmq") return termOfOurs(expression, isNegated);
  return isNegated ? undefined : termOfAnybody(expression);
};

const termOfOurs = (expression: Expression, isNegated: boolean): AttributeTerm | undefined => {
  switch (expression.op) {
    case "holds":
      return asked(expression.operand, exactly(isNegated ? { "anything-but": ["true"] } : "true"));
    case "is-null":
      return asked(expression.operand, exactly({ exists: isNegated }));
    case "like":
      return asked(expression.operand, isNegated ? atLeast(present) : isLike(expression.pattern, expression.escapedBy));
    case "in":
      return named(expression.name, (isNegated ? isNotIn : isIn)(expression.values));
    case "=": {
      const compared = comparedIn(expression.left, expression.right);
      return compared && named(compared.name, (isNegated ? isUnequal : isEqual)(compared));
    }
    case "<":
    case "<=":
    case ">":
    case ">=": {
      const compared = comparedIn(expression.left, expression.right);
      // What has no order at all isn't below, and so passes the negation.
      return compared && named(compared.name, isNegated ? atLeast(present) : isOrdered(expression.op, compared));
    }
    default:
      return undefined;
  }
};

const termOfAnybody = (expression: Expression): AttributeTerm | undefined => {
  if (expression.op === "in") return named(expression.name, isText(expression.values));
  const compared = expression.op === "=" ? comparedIn(expression.left, expression.right) : undefined;
  return typeof compared?.value === "string" ? named(compared.name, isText([compared.value])) : undefined;
};

/** How SNS compares quotation marks and backslashes is its secret; what is empty or illegal is no attribute. */
const isText = (texts: readonly string[]): AttributeTest | undefined =>
  texts.some((text) => /["\\]/.test(text)) ? undefined : isOneOf(texts.filter((text) => text !== "" && isXmlLegal(text)));

const asked = (operand: Expression, test: AttributeTest | undefined): AttributeTerm | undefined =>
  operand.op === "property" ? named(operand.name, test) : undefined;

const named = (name: string, test: AttributeTest | undefined): AttributeTerm | undefined =>
  test && isOpenName(name) && headerNamed(name) === undefined ? { name, ...test } : undefined;
