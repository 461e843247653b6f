import { isComposite, partsOf } from "./composite.ts";
import type { Destination } from "./destination.ts";

/** Says whether a destination is one that a filter means. */
export type DestinationFilter = (candidate: Destination) => boolean;

/** Carries a wildcard somewhere. A composite never counts as one, though its parts may. */
export const isPattern = (destination: Destination): boolean => !isComposite(destination) && /[*>]/.test(destination.name);

/**
 * Compiles ActiveMQ's destination filter: `*` is one element of a dotted name, a last `>` the rest (nothing included), a composite any of its parts.
 * A pattern may be tested like a name; only a filter that ends in `>` then lets a `*` of the tested name stand for anything.
 */
export const compileFilter = (pattern: Destination): DestinationFilter => {
  if (isComposite(pattern)) {
    const filters = partsOf(pattern).map(compileFilter);
    return (candidate) => filters.some((filter) => filter(candidate));
  }
  const matches = matcherOf(pattern.name.split("."));
  return (candidate) => candidate.kind === pattern.kind && matches(candidate.name.split("."));
};

type Matcher = (path: readonly string[]) => boolean;

/** What stands before a last `>`, which may be repeated; `undefined` if there is none. */
export const headOf = (elements: readonly string[]): readonly string[] | undefined =>
  elements.at(-1) === ">" ? elements.slice(0, elements.findLastIndex((element) => element !== ">") + 1) : undefined;

const matcherOf = (elements: readonly string[]): Matcher => {
  const head = headOf(elements);
  if (head) {
    return (path) => path.length >= head.length && head.every((element, i) => element === "*" || path[i] === "*" || element === path[i]);
  }
  return (path) => path.length === elements.length && elements.every((element, i) => element === "*" || element === path[i]);
};
