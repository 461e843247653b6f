/** What a message says about itself. */
export type Properties = Readonly<Record<string, string | number>>;

/** The selectors that histories use, each with what it means: told apart from the language that brokers read. */
const meanings: Readonly<Record<string, (about: Properties) => boolean>> = {
  "color = 'red'": ({ color }) => color === "red",
  "color <> 'red'": ({ color }) => color !== undefined && color !== "red",
  "color IN ('red', 'blue')": ({ color }) => color === "red" || color === "blue",
  "color IS NULL": ({ color }) => color === undefined,
  "NOT (color LIKE 'b%') OR size > 5": ({ color, size = 0 }) => (typeof color === "string" && !color.startsWith("b")) || Number(size) > 5,
  "size > 2": ({ size = 0 }) => Number(size) > 2,
};
export const selectors: readonly string[] = Object.keys(meanings);

interface Choosy {
  /** It wants what any of these takes; absent: everything. */
  readonly selectors?: readonly string[];
}

export const wants = ({ selectors: some }: Choosy, about: Properties): boolean =>
  some?.some((selector) => meanings[selector]?.(about) ?? false) ?? true;

/** What any of them wants; absent: everything. */
export const unionOf = (choosy: readonly Choosy[]): Choosy => {
  if (choosy.some((one) => one.selectors === undefined)) return {};
  return { selectors: [...new Set(choosy.flatMap((one) => one.selectors ?? []))].toSorted() };
};

/** Do these want all that one wants? By the texts. */
export const cover = (these: readonly Choosy[], one: Choosy): boolean =>
  these.some((other) => other.selectors === undefined) ||
  (one.selectors?.every((selector) => these.some((other) => other.selectors?.includes(selector))) ?? false);
