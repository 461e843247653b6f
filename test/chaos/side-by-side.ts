import { once } from "node:events";
import { Worker } from "node:worker_threads";
import { type Findings, noFindings, together } from "./findings.ts";

/** Plays `runs` runs, shared among `workers`; what they come to is the same for any number of these. */
export const sideBySide = async (runs: number, seed: number, workers: number, progress: (line: string) => void): Promise<Findings> => {
  let findings = noFindings;
  const began = performance.now();
  const note = (run: Findings): void => {
    findings = together(findings, run);
    for (const { world, seed: at, laws } of run.broken)
      progress(`seed ${at} broke a law (${world}): ${laws.map(({ law }) => law).join("; ")}`);
    const perSecond = (1_000 * findings.runs) / (performance.now() - began);
    if (findings.runs % 100 === 0) progress(`${findings.runs} of ${runs} runs, ${perSecond.toFixed(1)} a second`);
  };
  const play = async (index: number): Promise<void> => {
    const worker = new Worker(new URL("./share.entry.ts", import.meta.url), {
      workerData: { seed: seed + index, end: seed + runs, step: workers },
    });
    worker.on("message", note);
    await once(worker, "exit"); // rejects on its error
  };
  await Promise.all(Array.from({ length: workers }, (_, index) => play(index)));
  return { ...findings, broken: findings.broken.toSorted((a, b) => a.seed - b.seed) };
};
