import { randomInt } from "node:crypto";
import { parseArgs } from "node:util";
import { enoughRuns, expectedRows } from "./expected.ts";
import { sideBySide } from "./side-by-side.ts";

const help = `npm run --silent chaos -- [--runs N] [--seed S] [--workers W]

Random histories of a network and of a JMS bridge under random faults, judged when all is well again: test/chaos/verdict.ts names the laws,
test/chaos/windows.ts what may double. Prints one JSON document; ends with code 1 if a law was broken or, from ${enoughRuns} runs on, a fault
never fired at a port on a path where it can.

  --runs N      how many runs, a history of each world (300)
  --seed S      seed of the first, the others count up (random); a seed plays the same histories again
  --workers W   in how many threads (1)
  --help        this`;

const count = (name: string, text: string): number => {
  if (!/^[1-9]\d{0,8}$/.test(text)) throw new TypeError(`--${name} ${text}: must be a whole number, 1 or more`);
  return Number(text);
};

const read = () => {
  const text = { type: "string" } as const;
  const { values } = parseArgs({ options: { runs: text, seed: text, workers: text, help: { type: "boolean" } } });
  if (values.help) return "help";
  return {
    runs: count("runs", values.runs ?? "300"),
    seed: count("seed", values.seed ?? String(randomInt(1, 1_000_000))),
    workers: count("workers", values.workers ?? "1"),
  };
};

try {
  const options = read();
  if (options === "help") process.stdout.write(`${help}\n`);
  else {
    const { runs, seed, workers } = options;
    const findings = await sideBySide(runs, seed, workers, (line) => process.stderr.write(`${line}\n`));
    const neverFired = expectedRows.filter((row) => !findings.census[row]);
    process.stdout.write(`${JSON.stringify({ seed, ...findings, neverFired }, null, 2)}\n`);
    process.exitCode = findings.broken.length > 0 || (runs >= enoughRuns && neverFired.length > 0) ? 1 : 0;
  }
} catch (error) {
  if (!(error instanceof TypeError)) throw error;
  process.stderr.write(`${error.message}\n\n${help}\n`);
  process.exitCode = 2;
}
