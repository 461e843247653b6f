import type { Share } from "../support/histories/side-by-side.ts";
import { playBridge } from "./bridge/history.ts";
import { type Findings, findingsOf, noFindings, together } from "./findings.ts";
import { playNetwork } from "./network/history.ts";

/** Plays a history of each simulated world for each seed; tells what each run came to. */
export const playShare = async ({ seed, end, step }: Share, tell: (run: Findings) => void): Promise<void> => {
  for (let at = seed; at < end; at += step) tell(findingsOf([await playNetwork(at), await playBridge(at)]));
};

/** Plays `runs` runs in this process, their seeds counting up from `seed`. */
export const chaos = async (runs: number, seed: number): Promise<Findings> => {
  let findings = noFindings;
  await playShare({ seed, end: seed + runs, step: 1 }, (run) => {
    findings = together(findings, run);
  });
  return findings;
};
