import { randomInt } from "node:crypto";
import { readFileSync } from "node:fs";
import { parseArgs } from "node:util";
import { sideBySide } from "../support/histories/side-by-side.ts";
import { wholeNumber } from "../support/histories/whole-number.ts";
import { enoughRuns, neverFired, someRuns } from "./expected.ts";
import { type Findings, noFindings, type Run, type Small, withRun } from "./findings.ts";
import type { History } from "./history.ts";
import { judge } from "./run.ts";
import { smallestOf } from "./smallest.ts";
import { tell } from "./story.ts";

const help = `npm run --silent simulate -- [--runs N] [--seed S] [--workers W]
npm run --silent simulate -- --replay FILE

Random histories of random networks of up to eight brokers on simulated queues and topics: consumers come and go, links are cut and healed,
events are lost, doubled and late; judged when all is well again, by what a small model of its own makes of configuration and consumers.
test/simulate/laws has the laws. Prints one JSON document. Ends with code 1 if a law was broken; or if a fault never fired at a feature that
it can hit, from ${enoughRuns} runs on (from ${someRuns} on: if a fault, or something at a feature, never fired at all).

  --runs N       how many histories (300)
  --seed S       seed of the first, the others count up (random); a seed plays the same history again
  --workers W    in how many threads (1)
  --shrink K     of so many that broke a law the document has the smallest history that still breaks it (3)
  --replay FILE  plays the history in this file, as the document has it, and tells it
  --help         this`;

const text = { type: "string" } as const;
const { values } = parseArgs({
  options: { runs: text, seed: text, workers: text, shrink: text, replay: text, help: { type: "boolean" } },
});
const progress = (line: string): void => void process.stderr.write(`${line}\n`);

const simulate = async (): Promise<Findings & { readonly seed: number }> => {
  const seed = wholeNumber("seed", values.seed ?? String(randomInt(1, 1_000_000)));
  const runs = wholeNumber("runs", values.runs ?? "300");
  const workers = Math.max(1, wholeNumber("workers", values.workers ?? "1"));
  let findings = noFindings;
  const note = (run: Run): void => {
    findings = withRun(findings, run);
    if (run.broken.length > 0) progress(`seed ${run.seed} broke a law: ${run.broken.map(({ law }) => law).join("; ")}`);
  };
  await sideBySide<Run>(new URL("./share.entry.ts", import.meta.url), { runs, seed, workers }, note, progress);
  return { seed, ...findings };
};

const shrinkSome = async ({ broken }: Findings): Promise<readonly Small[]> => {
  const small: Small[] = [];
  for (const { seed, laws } of broken.slice(0, wholeNumber("shrink", values.shrink ?? "3"))) {
    progress(`looks for a smaller history than that of seed ${seed}`);
    small.push(await smallestOf(seed, laws[0]?.law ?? ""));
    progress(`\n${small.at(-1)?.story.join("\n")}\n`);
  }
  return small;
};

const replay = async (file: string): Promise<void> => {
  const history = JSON.parse(readFileSync(file, "utf8")) as History;
  const broken = await judge(history);
  progress(tell(history, broken).join("\n"));
  process.stdout.write(`${JSON.stringify({ broken }, null, 2)}\n`);
  process.exitCode = broken.length > 0 ? 1 : 0;
};

try {
  if (values.help) process.stdout.write(`${help}\n`);
  else if (values.replay !== undefined) await replay(values.replay);
  else {
    const findings = await simulate();
    const missed = neverFired(findings);
    process.stdout.write(`${JSON.stringify({ ...findings, neverFired: missed, small: await shrinkSome(findings) }, null, 2)}\n`);
    process.exitCode = findings.broken.length > 0 || missed.length > 0 ? 1 : 0;
  }
} catch (error) {
  if (!(error instanceof TypeError)) throw error;
  process.stderr.write(`${error.message}\n\n${help}\n`);
  process.exitCode = 2;
}
