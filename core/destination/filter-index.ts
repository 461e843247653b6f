import { partsOf } from "./composite.ts";
import type { Destination, DestinationKind } from "./destination.ts";
import { headOf } from "./filter.ts";

/** What filters that begin alike have in common. Most nodes have little of their own: what they don't need isn't there. */
interface Node<T> {
  children: Map<string, Node<T>> | undefined;
  any: Node<T> | undefined;
  /** Values of filters that end here with a `>`. */
  rest: T[] | undefined;
  /** Values of filters that end here. */
  whole: T[] | undefined;
}

const emptyNode = <T>(): Node<T> => ({ children: undefined, any: undefined, rest: undefined, whole: undefined });

/**
 * The values of all filters that mean a destination, as `compileFilter` would say of each; of a composite for each part that does. It takes
 * as long as the name is, however many filters there are.
 */
export const indexFilters = <T>(filters: Iterable<readonly [Destination, T]>): ((candidate: Destination) => readonly T[]) => {
  const roots = new Map<DestinationKind, Node<T>>();
  for (const [filter, value] of filters) {
    for (const { kind, name } of partsOf(filter)) {
      const root = roots.get(kind) ?? emptyNode();
      roots.set(kind, root);
      add(root, name.split("."), value);
    }
  }
  return ({ kind, name }) => {
    const found: T[] = [];
    const root = roots.get(kind);
    if (root) collect(root, name, 0, true, found);
    return found;
  };
};

const add = <T>(root: Node<T>, elements: readonly string[], value: T): void => {
  const head = headOf(elements);
  let node = root;
  for (const element of head ?? elements) node = childOf(node, element);
  if (head) node.rest = [...(node.rest ?? []), value];
  else node.whole = [...(node.whole ?? []), value];
};

const childOf = <T>(node: Node<T>, element: string): Node<T> => {
  if (element === "*") {
    node.any ??= emptyNode();
    return node.any;
  }
  node.children ??= new Map();
  const child = node.children.get(element) ?? emptyNode();
  node.children.set(element, child);
  return child;
};

/**
 * What is left of the name begins at `from`; each element is cut off where it is needed, in half the time of splitting. A `*` of the name
 * stands for anything to filters that end in `>` only: behind it no other counts.
 */
const collect = <T>(node: Node<T>, name: string, from: number, isExact: boolean, found: T[]): void => {
  if (node.rest) for (const value of node.rest) found.push(value);
  if (from > name.length) {
    if (isExact && node.whole) for (const value of node.whole) found.push(value);
    return;
  }
  const dot = name.indexOf(".", from);
  const to = dot === -1 ? name.length : dot;
  if (node.any) collect(node.any, name, to + 1, isExact, found);
  if (!node.children) return;
  const element = name.slice(from, to);
  if (element === "*") {
    for (const child of node.children.values()) collect(child, name, to + 1, false, found);
    return;
  }
  const child = node.children.get(element);
  if (child) collect(child, name, to + 1, isExact, found);
};
