import type { KeyPath } from "./fault.ts";

// Reading what may be anything: the value or nothing, never an exception.

export const at = (value: unknown, key: PropertyKey): unknown =>
  typeof value === "object" && value !== null && Object.hasOwn(value, key) ? (value as Record<PropertyKey, unknown>)[key] : undefined;

export const valueAt = (value: unknown, path: KeyPath): unknown => path.reduce(at, value);

export const textAt = (value: unknown, key: PropertyKey): string | undefined => textOf(at(value, key));

export const textOf = (value: unknown): string | undefined => (typeof value === "string" ? value : undefined);

export const itemsAt = (value: unknown, key: PropertyKey): readonly unknown[] => {
  const items = at(value, key);
  return Array.isArray(items) ? [...items] : []; // a copy has no holes
};

export const keysOf = (value: unknown): readonly string[] =>
  typeof value === "object" && value !== null && !Array.isArray(value) ? Object.keys(value) : [];

/** Compares two key paths by where they stand in `root`; what isn't there comes last, what holds another comes before it. */
export const inOrderOf =
  (root: unknown) =>
  (a: KeyPath, b: KeyPath): number => {
    const depth = [...a, undefined].findIndex((key, i) => key !== b[i] || key === undefined);
    const parent = valueAt(root, a.slice(0, depth));
    return positionIn(parent, a[depth]) - positionIn(parent, b[depth]);
  };

const positionIn = (parent: unknown, key: PropertyKey | undefined): number => {
  if (key === undefined) return -1;
  const keys = typeof parent === "object" && parent !== null ? Object.keys(parent) : [];
  const position = keys.indexOf(String(key));
  return position === -1 ? keys.length : position;
};
