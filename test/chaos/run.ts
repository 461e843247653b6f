import type { Verdict } from "./history.ts";
import { playHistory } from "./history.ts";

/** Many histories together. */
export interface Findings {
  readonly runs: number;
  readonly seed: number;
  readonly sent: number;
  readonly delivered: number;
  readonly lost: number;
  readonly doubled: number;
  /** Doubled through a documented window. */
  readonly excused: number;
  readonly stuck: number;
  /** Seeds of histories that broke a law; `--runs 1 --seed` plays one again. */
  readonly broken: readonly { readonly seed: number; readonly laws: readonly string[] }[];
  /** What fired how often. */
  readonly census: Readonly<Record<string, number>>;
  /** What could have fired and never did. */
  readonly neverFired: readonly string[];
}

/** Every fault that a run is expected to meet. */
const expected = [
  "crash after claim",
  "crash after counter",
  "crash after event",
  "crash after give back",
  "crash after hand-over",
  "crash after receive",
  "crash after release",
  "crash after remove",
  "crash after settle",
  "crash after take-over",
  "lost answer of a claim",
  "lost answer of a hand-over",
  "settle fails",
  "throttled hand-over",
  "hanging hand-over",
  "one copy in two live handlers",
  "redelivery after delete",
  "clock jumps",
] as const;

/** Plays `runs` histories, their seeds counting up from `seed`. */
export const chaos = async (runs: number, seed: number, progress: (line: string) => void): Promise<Findings> => {
  const verdicts: Verdict[] = [];
  for (let n = 0; n < runs; n += 1) {
    verdicts.push(await playHistory(seed + n));
    if ((n + 1) % 50 === 0) progress(`${n + 1} of ${runs} histories`);
  }
  const sum = (count: (verdict: Verdict) => number): number => verdicts.reduce((total, verdict) => total + count(verdict), 0);
  const fired = (fault: string): number => sum(({ census }) => census.get(fault) ?? 0);
  return {
    runs,
    seed,
    sent: sum((verdict) => verdict.sent),
    delivered: sum(({ delivered }) => delivered),
    lost: sum(({ lost }) => lost.length),
    doubled: sum(({ doubled }) => doubled.length),
    excused: sum(({ excused }) => excused),
    stuck: sum(({ stuck }) => stuck),
    broken: verdicts
      .filter((verdict) => brokenLaws(verdict).length > 0)
      .map((verdict) => ({ seed: verdict.seed, laws: brokenLaws(verdict) })),
    census: Object.fromEntries(expected.map((fault) => [fault, fired(fault)])),
    neverFired: expected.filter((fault) => fired(fault) === 0),
  };
};

const brokenLaws = ({ lost, doubled, stuck }: Verdict): readonly string[] => [
  ...(lost.length > 0 ? [`lost ${lost.join(" ")}`] : []),
  ...(doubled.length > 0 ? [`doubled ${doubled.join(" ")}`] : []),
  ...(stuck > 0 ? [`${stuck} stuck`] : []),
];
