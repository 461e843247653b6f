import { isOpenText } from "../message/mirror.ts";
import { isXmlLegal } from "../message/text.ts";
import { type LikeUnit, likePattern, likeUnits } from "./like.ts";

/** A condition of an SNS filter policy. */
export type PolicyCondition =
  | string
  | { readonly numeric: readonly (string | number)[] }
  | { readonly prefix: string }
  | { readonly suffix: string }
  | { readonly "anything-but": readonly (string | number)[] }
  | { readonly exists: boolean };

/** Conditions on one attribute, any of which suffices; not `exact` where they pass more than the selector accepts. */
export interface AttributeTest {
  readonly conditions: readonly PolicyCondition[];
  readonly exact: boolean;
}

export const exactly = (...conditions: readonly PolicyCondition[]): AttributeTest => ({ conditions, exact: true });
export const atLeast = (...conditions: readonly PolicyCondition[]): AttributeTest => ({ conditions, exact: false });
export const present: PolicyCondition = { exists: true };
export const absent: PolicyCondition = { exists: false };

/** As which booleans show. */
const booleans = ["true", "false"];

export const isOneOf = (texts: readonly string[]): AttributeTest => ({
  conditions: texts,
  exact: !texts.some((text) => booleans.includes(text)),
});

/** A text that isn't open is never outside. */
export const isIn = (values: readonly string[]): AttributeTest => isOneOf(values.filter(isOpenText));

/** What isn't text is neither in a list nor not in it. */
export const isNotIn = (values: readonly string[]): AttributeTest => {
  const texts = values.filter(isOpenText);
  return atLeast(texts.length === 0 ? present : { "anything-but": texts });
};

/** By what the text begins or ends with; the rest of the pattern is left to the selector. */
export const isLike = (pattern: string, escapedBy: string | undefined): AttributeTest => {
  const units = likeUnits(pattern, escapedBy);
  const [first, last] = [units.findIndex(isWildcard), units.findLastIndex(isWildcard)];
  if (first === -1) return isIn([textOf(units)]);
  const [prefix, suffix] = [textOf(units.slice(0, first)), textOf(units.slice(last + 1))];
  if (/["\\]/.test(prefix + suffix) || !isXmlLegal(prefix) || !isXmlLegal(suffix)) return exactly();
  if (prefix + suffix === "") return atLeast(present);
  const isAll = first === last && units.some(isAnyText) && (prefix === "" || suffix === "");
  const passesBoolean = booleans.some((text) => likePattern(pattern, escapedBy).test(text));
  return { conditions: [prefix === "" ? { suffix } : { prefix }], exact: isAll && !passesBoolean };
};

const isWildcard = (unit: LikeUnit): boolean => "any" in unit;
const isAnyText = (unit: LikeUnit): boolean => "any" in unit && unit.any === "text";
const textOf = (units: readonly LikeUnit[]): string => units.map((unit) => ("any" in unit ? "" : unit.text)).join("");
