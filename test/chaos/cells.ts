/** A path that messages take, in one mode: what findings and the census count by. Bodies and destinations begin with its name. */
export type Cell = `${string}.${Mode}`;

export const networkModes = ["audited", "unaudited"] as const;
export const bridgeModes = ["ONCE_AND_ONLY_ONCE", "DUPLICATES_OK", "AT_MOST_ONCE"] as const;
export type Mode = (typeof networkModes)[number] | (typeof bridgeModes)[number];

export const networkPaths = ["queue", "direct", "topic", "composite", "once"] as const;
export const bridgePaths = ["bridge-queue", "bridge-topic"] as const;
export type NetworkPath = (typeof networkPaths)[number];
export type BridgePath = (typeof bridgePaths)[number];

const cells = (paths: readonly string[], modes: readonly Mode[]): Cell[] =>
  paths.flatMap((path) => modes.map((mode): Cell => `${path}.${mode}`));
export const networkCells = cells(networkPaths, networkModes);
export const bridgeCells = cells(bridgePaths, bridgeModes);

const names = [...networkCells, ...bridgeCells];
// Physical names write a dot as a dash. The longest first: `queue.audited` is part of no other's name but for `bridge-queue.…`.
const mentioned = new RegExp(`(?<![\\w-]bridge-)\\b(${names.map((name) => name.replace(".", "[.-]")).join("|")})\\b`, "g");

/** Cells that something is about: named by its bodies or destinations. */
export const cellsIn = (...things: readonly unknown[]): readonly Cell[] => [
  ...new Set([...JSON.stringify(things).matchAll(mentioned)].map(([name]) => cellNamed(name))),
];

const cellNamed = (name: string): Cell => names.find((cell) => cell.replace(".", "-") === name.replace(".", "-")) ?? "queue.audited";

/** Bodies that are whole in something: `queue.audited/17`. */
export const bodiesIn = (...things: readonly unknown[]): readonly string[] => [
  ...new Set([...JSON.stringify(things).matchAll(/[\w-]+\.\w+\/\d+/g)].map(([body]) => body)),
];

export const bodyOf = (cell: Cell, n: number): string => `${cell}/${n}`;
export const cellOf = (body: string): Cell => body.slice(0, body.indexOf("/")) as Cell;
export const modeOf = (cell: Cell): Mode => cell.slice(cell.indexOf(".") + 1) as Mode;
