import { randomInt } from "node:crypto";
import { parseArgs } from "node:util";
import { chaos } from "./run.ts";

const help = `npm run --silent chaos -- [--runs N] [--seed S]

Random histories of a network under random faults, judged when all is well again: nothing lost, nothing doubled but through a documented
window, nothing stuck. Prints one JSON document; ends with code 1 if a law was broken or, from 300 runs on, a fault never fired.

  --runs N   how many histories (300)
  --seed S   seed of the first, the others count up (random); a seed plays the same history again
  --help     this`;

const count = (name: string, text: string): number => {
  if (!/^\d{1,9}$/.test(text)) throw new TypeError(`--${name} ${text}: must be a whole number`);
  return Number(text);
};

const read = () => {
  const { values } = parseArgs({ options: { runs: { type: "string" }, seed: { type: "string" }, help: { type: "boolean" } } });
  if (values.help) return "help";
  return { runs: count("runs", values.runs ?? "300"), seed: count("seed", values.seed ?? String(randomInt(1_000_000))) };
};

try {
  const options = read();
  if (options === "help") process.stdout.write(`${help}\n`);
  else {
    const findings = await chaos(options.runs, options.seed, (line) => process.stderr.write(`${line}\n`));
    process.stdout.write(`${JSON.stringify(findings, null, 2)}\n`);
    const silent = options.runs >= 300 && findings.neverFired.length > 0;
    process.exitCode = findings.broken.length > 0 || silent ? 1 : 0;
  }
} catch (error) {
  if (!(error instanceof TypeError)) throw error;
  process.stderr.write(`${error.message}\n\n${help}\n`);
  process.exitCode = 2;
}
