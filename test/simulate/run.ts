import type { Share } from "../support/histories/side-by-side.ts";
import { drawHistory } from "./draw/history.ts";
import { type Findings, noFindings, type Run, runOf, withRun } from "./findings.ts";
import type { History } from "./history.ts";
import { play } from "./play.ts";
import { type Broken, brokenLaws } from "./verdict.ts";

/** Plays a history and judges it. */
export const judge = async (history: History): Promise<readonly Broken[]> => brokenLaws((await play(history)).played);

const playSeed = async (seed: number): Promise<Run> => {
  const { played, census } = await play(drawHistory(seed));
  return runOf(seed, played, brokenLaws(played), census);
};

export const playShare = async ({ seed, end, step }: Share, tell: (run: Run) => void): Promise<void> => {
  for (let at = seed; at < end; at += step) tell(await playSeed(at));
};

/** Plays `runs` histories in this process, their seeds counting up from `seed`. */
export const simulateRuns = async (runs: number, seed: number): Promise<Findings> => {
  let findings = noFindings;
  await playShare({ seed, end: seed + runs, step: 1 }, (run) => {
    findings = withRun(findings, run);
  });
  return findings;
};
