interface Choosy {
  /** It wants what any of these takes; absent: everything. */
  readonly selectors?: readonly string[];
}

const mostSelectors = 64;
const mostText = 8_000;

/** More of one destination make records and views large: who has them is taken to want everything. */
export const areTooMany = (selectors: ReadonlySet<string | undefined>): boolean =>
  selectors.size > mostSelectors || [...selectors].join("").length > mostText;

/** Whatever any of them wants; undefined: everything. */
export const unionOf = (choosy: readonly Choosy[]): readonly string[] | undefined => {
  if (choosy.some(({ selectors }) => selectors === undefined)) return undefined;
  const union = new Set(choosy.flatMap(({ selectors = [] }) => selectors));
  return areTooMany(union) ? undefined : [...union].toSorted();
};

/** The same with other selectors. */
export const choosing = <T extends Choosy>({ selectors: _, ...one }: T, selectors: readonly string[] | undefined): T =>
  ({ ...one, ...(selectors && { selectors }) }) as T;

/** Do these want all that one wants? By the texts: two that mean the same are two. */
export const covers = (these: readonly Choosy[], { selectors }: Choosy): boolean =>
  these.some((one) => one.selectors === undefined) ||
  (selectors?.every((selector) => these.some((one) => one.selectors?.includes(selector))) ?? false);
