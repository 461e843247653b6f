/**
 * The rules of destination names (spec W2–W7), written apart from the core's: kinds never mix, `*` is one element, a last `>` what is left,
 * a composite any of its parts. A pattern may be tested as a name; only a filter that ends in `>` lets its `*` stand for anything.
 */
export const means = (filter: string, name: string): boolean =>
  partsOf(filter).some((part) => kindOf(part) === kindOf(name) && fits(elementsOf(part), elementsOf(name)));

export const kindOf = (key: string): "queue" | "topic" => (key.startsWith("topic:") ? "topic" : "queue");
export const isPattern = (key: string): boolean => elementsOf(key).some((element) => element === "*" || element === ">");
/** It keeps the order of each group. */
export const isOrdered = (key: string): boolean => key.endsWith(".fifo");
/** `queue://a,b` stands for `queue://a` and `queue://b`. */
export const partsOf = (key: string): readonly string[] =>
  nameOf(key)
    .split(",")
    .map((name) => `${kindOf(key)}://${name}`);

const nameOf = (key: string): string => key.slice(key.indexOf("://") + 3);
const elementsOf = (key: string): readonly string[] => nameOf(key).split(".");

const fits = (filter: readonly string[], name: readonly string[]): boolean => {
  const [first, ...others] = filter;
  const isOpen = filter.at(-1) === ">";
  if (first === ">" && others.every((element) => element === ">")) return true;
  const [here, ...further] = name;
  if (first === undefined || here === undefined) return first === here;
  const same = first === "*" || first === here || (isOpen && here === "*");
  return same && fits(others, further);
};
