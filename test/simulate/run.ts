import type { Share } from "../support/histories/side-by-side.ts";
import { drawHistory } from "./draw/history.ts";
import { type Findings, noFindings, type Run, runOf, withRun } from "./findings.ts";
import type { History } from "./history.ts";
import { play } from "./play.ts";
import { type Broken, brokenLaws } from "./verdict.ts";

/** Plays a history and judges it. */
export const judge = async (history: History): Promise<readonly Broken[]> => (await playAndJudge(history)).broken;

const playAndJudge = async (history: History): Promise<Pick<Run, "broken"> & Partial<Awaited<ReturnType<typeof play>>>> => {
  try {
    const { played, census } = await play(history);
    return { played, census, broken: brokenLaws(played) };
  } catch (error) {
    return { broken: [{ law: "a history comes to its end", what: [String(error)] }] };
  }
};

const playSeed = async (seed: number): Promise<Run> => {
  const { played, census = new Map(), broken } = await playAndJudge(drawHistory(seed));
  return runOf(seed, played, broken, census);
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
