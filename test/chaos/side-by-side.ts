import { type Runs, sideBySide } from "../support/histories/side-by-side.ts";
import { type Findings, noFindings, together } from "./findings.ts";

/** Plays runs, shared among workers; what they come to is the same for any number of these. */
export const playSideBySide = async (runs: Runs, progress: (line: string) => void): Promise<Findings> => {
  let findings = noFindings;
  const note = (run: Findings): void => {
    findings = together(findings, run);
    for (const { world, seed, laws } of run.broken)
      progress(`seed ${seed} broke a law (${world}): ${laws.map(({ law }) => law).join("; ")}`);
  };
  await sideBySide<Findings>(new URL("./share.entry.ts", import.meta.url), runs, note, progress);
  return { ...findings, broken: findings.broken.toSorted((a, b) => a.seed - b.seed) };
};
