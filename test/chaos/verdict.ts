import { type Cell, isBehindOnce, isOrdered } from "./cells.ts";
import type { Census } from "./fates.ts";
import type { Tally } from "./ledger.ts";

/** One history, judged when all is well again. */
export interface Verdict {
  readonly world: World;
  readonly seed: number;
  readonly tallies: ReadonlyMap<Cell, Tally>;
  readonly census: Census;
  /** Bodies that stand in a source's dead-letter queue although no fault spent their receives. */
  readonly spent: readonly string[];
  /** Why a deployment that takes away what was drained was refused. */
  readonly refused?: readonly string[];
  /** What nobody could see in the end, and why. */
  readonly unseen?: readonly string[];
}

export type World = "network" | "bridge" | "embedded";

export interface Broken {
  readonly law: string;
  readonly bodies: readonly string[];
}

const isAtMostOnce = (cell: Cell): boolean => cell.endsWith(".AT_MOST_ONCE");

interface Law {
  readonly law: string;
  readonly broken: (cell: Cell, tally: Tally) => readonly string[];
}

const laws: readonly Law[] = [
  { law: "nothing is lost but in AT_MOST_ONCE", broken: (cell, { lost }) => (isAtMostOnce(cell) ? [] : lost) },
  {
    law: "nothing doubles but through a documented window",
    broken: (cell, { doubled }) => (isBehindOnce(cell) || isAtMostOnce(cell) || isOrdered(cell) ? [] : doubled),
  },
  {
    law: "nothing doubles on a FIFO target within five minutes",
    broken: (cell, { doubled }) => (isOrdered(cell) ? doubled : []),
  },
  { law: "nothing at all doubles behind once", broken: (cell, { doubled }) => (isBehindOnce(cell) ? doubled : []) },
  { law: "AT_MOST_ONCE never doubles", broken: (cell, { doubled }) => (isAtMostOnce(cell) ? doubled : []) },
  { law: "messages of a group stay in order", broken: (_cell, { outOfOrder }) => outOfOrder },
  { law: "no queue holds what a present consumer would take", broken: (_cell, { stuck }) => stuck },
];

export const brokenLaws = ({ tallies, spent, refused = [], unseen = [] }: Verdict): readonly Broken[] => [
  ...laws.flatMap(({ law, broken }) => {
    const bodies = [...tallies].flatMap(([cell, tally]) => broken(cell, tally));
    return bodies.length > 0 ? [{ law, bodies }] : [];
  }),
  ...(refused.length > 0 ? [{ law: "what was marked as removed and is quiet goes", bodies: refused }] : []),
  ...(unseen.length > 0 ? [{ law: "a history's end is seen", bodies: unseen }] : []),
  ...(spent.length > 0 ? [{ law: "no receive is spent on waiting for a target", bodies: spent }] : []),
];
