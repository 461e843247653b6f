import type { Cell } from "./cells.ts";
import type { Tally } from "./ledger.ts";
import { type Broken, brokenLaws, type Verdict, type World } from "./verdict.ts";

/** What the messages of one path in one mode came to. */
type Count = { readonly [K in keyof Omit<Tally, "excused">]: number } & Pick<Tally, "excused">;

/** Many histories together. */
export interface Findings {
  readonly runs: number;
  /** By path and mode. */
  readonly paths: Readonly<Record<Cell, Count>>;
  /** Histories that broke a law; `--runs 1 --seed S` plays one again. */
  readonly broken: readonly { readonly world: World; readonly seed: number; readonly laws: readonly Broken[] }[];
  /** fault × port × path: how often it fired. */
  readonly census: Readonly<Record<string, number>>;
}

const plus = (a: number | undefined, b: number): number => (a ?? 0) + b;
const merged = <V>(one: Readonly<Record<string, V>>, other: Readonly<Record<string, V>>, add: (a: V | undefined, b: V) => V) => {
  const sum: Record<string, V> = { ...one };
  for (const [key, value] of Object.entries(other)) sum[key] = add(sum[key], value);
  return sum;
};

const countOf = ({ sent, delivered, lost, doubled, outOfOrder, stuck, excused }: Tally): Count => ({
  sent,
  delivered,
  lost: lost.length,
  doubled: doubled.length,
  outOfOrder: outOfOrder.length,
  stuck: stuck.length,
  excused,
});

const sumOf = (a: Count | undefined, b: Count): Count =>
  a === undefined
    ? b
    : {
        sent: a.sent + b.sent,
        delivered: a.delivered + b.delivered,
        lost: a.lost + b.lost,
        doubled: a.doubled + b.doubled,
        outOfOrder: a.outOfOrder + b.outOfOrder,
        stuck: a.stuck + b.stuck,
        excused: merged<number>(a.excused as Record<string, number>, b.excused as Record<string, number>, plus),
      };

export const noFindings: Findings = { runs: 0, paths: {}, broken: [], census: {} };

/** Of one run: its histories in each world. */
export const findingsOf = (verdicts: readonly Verdict[]): Findings =>
  verdicts.map(ofOne).reduce((sum, one) => ({ ...together(sum, one), runs: 1 }), noFindings);

const ofOne = (verdict: Verdict): Findings => {
  const { world, seed, tallies, census } = verdict;
  const laws = brokenLaws(verdict);
  return {
    runs: 1,
    paths: Object.fromEntries([...tallies].map(([cell, tally]) => [cell, countOf(tally)])),
    broken: laws.length > 0 ? [{ world, seed, laws }] : [],
    census: Object.fromEntries(census),
  };
};

export const together = (one: Findings, other: Findings): Findings => ({
  runs: one.runs + other.runs,
  paths: merged(one.paths, other.paths, sumOf),
  broken: [...one.broken, ...other.broken],
  census: merged(one.census, other.census, plus),
});
