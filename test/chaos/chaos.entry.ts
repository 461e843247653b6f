import { randomInt } from "node:crypto";
import { parseArgs } from "node:util";
import { wholeNumber } from "../support/histories/whole-number.ts";
import { enoughEmbedded, enoughRuns, expectedEmbedded, expectedRows } from "./expected.ts";
import { type Findings, findingsOf, noFindings, together } from "./findings.ts";
import { storyOf } from "./network/story.ts";
import { playSideBySide } from "./side-by-side.ts";

const help = `npm run --silent chaos -- [--runs N] [--seed S] [--embedded M] [--workers W]
npm run --silent chaos -- --seed S --story BODY

Random histories of a simulated network and a simulated JMS bridge, and some on the embedded runtime behind a hostile gateway, under random
faults, judged when all is well again: test/chaos/verdict.ts names the laws, test/chaos/windows.ts what may double. Prints one JSON document;
ends with code 1 if a law was broken or, from ${enoughRuns} runs (${enoughEmbedded} embedded ones) on, a fault never fired at a port on a path where it can.

Embedded are two regions and a JMS bridge from queue to queue, and the real handlers, clients and adapters: a handler dies after any of its
calls, or is slow while its batch's visibility runs out; the other region refuses, hangs, or accepts and says nothing; calls are throttled,
hang, lose their answers, fail in part; copies come twice, to two handlers, after their delete, too late for it, in another order; SQS gives
up what a handler died at, and it is moved back. Only the simulator has clocks that jump, a table restored, connectors and queues removed,
clients that come and go, subscribers of SNS's own, a bridge's target that is away, other modes, FIFO topics, and more than two brokers.

  --runs N      how many runs, a history of each world (300)
  --seed S      seed of the first, the others count up (random); a seed plays the same histories again
  --embedded M  how many embedded histories (one for each 500 runs); these depend on the machine's pace, a seed draws alike
  --workers W   in how many threads (1)
  --story BODY  tells what became of this message in the network's history of the seed, call by call
  --help        this`;

const read = () => {
  const text = { type: "string" } as const;
  const { values } = parseArgs({
    options: { runs: text, seed: text, embedded: text, workers: text, story: text, help: { type: "boolean" } },
  });
  if (values.help) return "help";
  const runs = wholeNumber("runs", values.runs ?? "300");
  return {
    runs,
    embedded: wholeNumber("embedded", values.embedded ?? String(Math.floor(runs / 500))),
    seed: wholeNumber("seed", values.seed ?? String(randomInt(1, 1_000_000))),
    workers: Math.max(1, wholeNumber("workers", values.workers ?? "1")),
    story: values.story,
  };
};

const embeddedFindings = async (histories: number, seed: number, progress: (line: string) => void): Promise<Findings> => {
  if (histories === 0) return noFindings;
  const { playEmbedded } = await import("./embedded/histories.ts"); // CDK takes its time
  return findingsOf(await playEmbedded(histories, seed, progress));
};

try {
  const options = read();
  if (options === "help") process.stdout.write(`${help}\n`);
  else if (options.story !== undefined) process.stdout.write(`${(await storyOf(options.seed, options.story)).join("\n")}\n`);
  else {
    const { runs, seed, embedded, workers } = options;
    const progress = (line: string) => process.stderr.write(`${line}\n`);
    const onTheRuntime = await embeddedFindings(embedded, seed, progress); // first: it may not come up
    const findings = together(await playSideBySide({ runs, seed, workers }, progress), { ...onTheRuntime, runs: 0 });
    const expected = [...(runs >= enoughRuns ? expectedRows : []), ...(embedded >= enoughEmbedded ? expectedEmbedded : [])];
    const neverFired = expected.filter((row) => !findings.census[row]);
    process.stdout.write(`${JSON.stringify({ seed, embedded, ...findings, neverFired }, null, 2)}\n`);
    process.exitCode = findings.broken.length > 0 || neverFired.length > 0 ? 1 : 0;
  }
} catch (error) {
  if (!(error instanceof TypeError)) throw error;
  process.stderr.write(`${error.message}\n\n${help}\n`);
  process.exitCode = 2;
}
