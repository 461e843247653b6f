import type { Census } from "../support/histories/fates.ts";
import type { History } from "./history.ts";
import type { Played } from "./played.ts";
import type { Broken } from "./verdict.ts";

/** What one history came to. */
export interface Run {
  readonly seed: number;
  readonly broken: readonly Broken[];
  readonly sent: number;
  readonly received: number;
  readonly resting: number;
  readonly census: Readonly<Record<string, number>>;
}

export interface Small {
  readonly seed: number;
  readonly laws: readonly string[];
  /** In sentences. */
  readonly story: readonly string[];
  /** To be kept in a file, and played again by `--replay`. */
  readonly history: History;
}

/** Many histories together. */
export interface Findings {
  readonly runs: number;
  /** Messages, or parts of a composite; copies that consumers took; what nobody wanted. */
  readonly sent: number;
  readonly received: number;
  readonly resting: number;
  readonly broken: readonly { readonly seed: number; readonly laws: readonly Broken[] }[];
  /** feature × fault: how often it fired. */
  readonly census: Readonly<Record<string, number>>;
}

export const runOf = (seed: number, played: Played | undefined, broken: readonly Broken[], census: Census): Run => ({
  seed,
  broken,
  sent: played?.sent.length ?? 0,
  received: played?.received.length ?? 0,
  resting: played?.left.filter(({ place }) => place === "queue").length ?? 0,
  census: Object.fromEntries(census),
});

export const noFindings: Findings = { runs: 0, sent: 0, received: 0, resting: 0, broken: [], census: {} };

export const withRun = (findings: Findings, { seed, broken, sent, received, resting, census }: Run): Findings => {
  const sum: Record<string, number> = { ...findings.census };
  for (const [row, times] of Object.entries(census)) sum[row] = (sum[row] ?? 0) + times;
  return {
    runs: findings.runs + 1,
    sent: findings.sent + sent,
    received: findings.received + received,
    resting: findings.resting + resting,
    broken: broken.length > 0 ? [...findings.broken, { seed, laws: broken }].toSorted((a, b) => a.seed - b.seed) : findings.broken,
    census: sum,
  };
};
