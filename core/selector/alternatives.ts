import type { PolicyCondition } from "./attribute-test.ts";

/** Attributes that must all pass; any condition of one is enough for it. */
export type Alternative = Readonly<Record<string, readonly PolicyCondition[]>>;

/** Any of the alternatives passes; not `exact` where they pass more than they should. */
export interface Passing {
  readonly alternatives: readonly Alternative[];
  readonly exact: boolean;
}

/** SNS takes five keys and 150 combinations; one key, and one combination, is for what hides its properties. */
const mostKeys = 4;
const mostCombinations = 149;

/** Counted on the safe side, each key as often as it stands there. */
export const isWithinLimits = ({ alternatives }: Passing): boolean => {
  const keys = alternatives.map((alternative) => Object.keys(alternative).length);
  const combinations = alternatives.map((alternative) => Object.values(alternative).reduce((product, { length }) => product * length, 1));
  return sum(keys) <= mostKeys && sum(combinations) <= mostCombinations;
};

const sum = (numbers: readonly number[]): number => numbers.reduce((total, number) => total + number, 0);

/** One or the other; what asks for the same single attribute becomes one alternative. */
export const either = (one: Passing, other: Passing): Passing => {
  const byKey = Map.groupBy([...one.alternatives, ...other.alternatives], (alternative) => {
    const [key = "", ...further] = Object.keys(alternative);
    return further.length === 0 ? key : alternative;
  });
  const alternatives = [...byKey].map(
    ([key, grouped]): Alternative => (typeof key === "string" ? { [key]: grouped.flatMap((alternative) => alternative[key] ?? []) } : key),
  );
  return { alternatives, exact: one.exact && other.exact };
};

/** One and the other. A policy has one list for each attribute: two ranges may become one, of other pairs the first must do. */
export const both = (one: Passing, other: Passing): Passing => {
  const merged = one.alternatives.flatMap((a) => other.alternatives.map((b) => merge(a, b)));
  return {
    alternatives: merged.map(({ alternative }) => alternative),
    exact: one.exact && other.exact && merged.every(({ exact }) => exact),
  };
};

const merge = (one: Alternative, other: Alternative): { readonly alternative: Alternative; readonly exact: boolean } => {
  const shared = Object.keys(one).filter((key) => Object.hasOwn(other, key));
  const narrowed = shared.map((key) => [key, rangeOf(one[key] ?? [], other[key] ?? [])] as const);
  const kept = Object.fromEntries(narrowed.map(([key, range]) => [key, range ?? one[key] ?? []]));
  return { alternative: { ...other, ...one, ...kept }, exact: narrowed.every(([, range]) => range !== undefined) };
};

/** Between two bounds, where there is something between them. */
const rangeOf = (one: readonly PolicyCondition[], other: readonly PolicyCondition[]): readonly PolicyCondition[] | undefined => {
  const bounds = [boundOf(one), boundOf(other)];
  const low = bounds.find((bound) => bound?.op.startsWith(">"));
  const high = bounds.find((bound) => bound?.op.startsWith("<"));
  if (low === undefined || high === undefined) return undefined;
  if (low.limit < high.limit) return [{ numeric: [low.op, low.limit, high.op, high.limit] }];
  return low.limit === high.limit && low.op === ">=" && high.op === "<=" ? [{ numeric: ["=", low.limit] }] : undefined;
};

const boundOf = ([condition, ...further]: readonly PolicyCondition[]) => {
  if (typeof condition !== "object" || !("numeric" in condition) || further.length > 0) return undefined;
  const [op, limit, ...second] = condition.numeric;
  return typeof op === "string" && typeof limit === "number" && second.length === 0 ? { op, limit } : undefined;
};
