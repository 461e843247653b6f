/** A path that messages take, in one mode: what findings and the census count by. Bodies and destinations begin with its name. */
export type Cell = `${string}.${Mode}`;

export const networkModes = ["audited", "unaudited"] as const;
export const bridgeModes = ["ONCE_AND_ONLY_ONCE", "DUPLICATES_OK", "AT_MOST_ONCE"] as const;
export type Mode = (typeof networkModes)[number] | (typeof bridgeModes)[number];

export const networkPaths = ["queue", "direct", "topic", "composite", "once"] as const;
/** By ingress.fifo, inbound.fifo and feed.fifo, or straight to the queue. */
export const orderedPaths = ["fifo-queue", "fifo-direct", "fifo-topic"] as const;
export const bridgePaths = ["bridge-queue", "bridge-topic"] as const;
/** On the embedded runtime every reader stands behind `once`, but the bare one. */
export const embeddedCells = [
  "embedded-queue.audited",
  "embedded-direct.audited",
  "embedded-composite.audited",
  "embedded-topic.audited",
  "embedded-fifo.audited",
  "embedded-bare.audited",
  "embedded-bridge.ONCE_AND_ONLY_ONCE",
] as const satisfies readonly Cell[];
export type NetworkPath = (typeof networkPaths)[number] | (typeof orderedPaths)[number];
export type BridgePath = (typeof bridgePaths)[number];

const cells = (paths: readonly string[], modes: readonly Mode[]): Cell[] =>
  paths.flatMap((path) => modes.map((mode): Cell => `${path}.${mode}`));
export const networkCells = cells(networkPaths, networkModes);
export const orderedCells = cells(orderedPaths, networkModes);
export const bridgeCells = cells(bridgePaths, bridgeModes);

const names: readonly Cell[] = [...networkCells, ...orderedCells, ...bridgeCells, ...embeddedCells];
const mentioned = new RegExp(
  `\\b(${names.map((name) => name.replaceAll("_", "__?").replace("-", "_?-").replace(".", "[.-]")).join("|")})\\b`,
  "g",
);

/** Cells that something is about: named by its bodies or destinations, or as physical names write these, `_-` for a dash, `__` for `_` and `-` for a dot. */
export const cellsIn = (...things: readonly unknown[]): readonly Cell[] => [
  ...new Set([...JSON.stringify(things).matchAll(mentioned)].map(([name]) => cellNamed(name))),
];

const dashed = (name: string): string => name.replaceAll("__", "_").replaceAll("_-", "-").replaceAll(".", "-");
const byDashes = new Map(names.map((cell) => [dashed(cell), cell]));
const cellNamed = (name: string): Cell => byDashes.get(dashed(name)) ?? "queue.audited";

/** Bodies that are whole in something: `queue.audited/17`. */
export const bodiesIn = (...things: readonly unknown[]): readonly string[] => [
  ...new Set([...JSON.stringify(things).matchAll(/[\w-]+\.\w+\/\d+/g)].map(([body]) => body)),
];

export const bodyOf = (cell: Cell, n: number): string => `${cell}/${n}`;
export const cellOf = (body: string): Cell => body.slice(0, body.indexOf("/")) as Cell;
export const modeOf = (cell: Cell): Mode => cell.slice(cell.indexOf(".") + 1) as Mode;
export const isOrdered = (cell: Cell): boolean => /^(embedded-)?fifo\b/.test(cell);
export const isTopic = (cell: Cell): boolean => /^(fifo-)?topic\b/.test(cell);
/** A queue that is there before anybody uses it. */
export const isDeclared = (cell: Cell): boolean => /^(direct|fifo-queue|fifo-direct)\b/.test(cell);
export const isBehindOnce = (cell: Cell): boolean => /^(once\b|embedded-(?!bare))/.test(cell);
