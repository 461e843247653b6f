import { parseArgs } from "node:util";
import { howToPlay } from "./demo/how-to-play.ts";
import { holds, inOrder, tableOf } from "./demo/report.ts";
import { playAll } from "./demo/scenes.ts";
import { openStage } from "./demo/stage.ts";
import { type EmbeddedNetwork, startNetwork } from "./network.ts";

const help = `npm start [-- --keep] [--verbose]

Brings up examples/two-regions on this machine (no AWS account, no Docker) and shows messages crossing between two regions.
Ends with a table, and with code 0 only if everything held.

  --keep      leave the network running afterwards and say how to play with it; Ctrl-C ends it
  --verbose   show the handlers' log lines
  --help      this text`;

const optionsFrom = (args: readonly string[]) => {
  try {
    return parseArgs({
      args: [...args],
      options: { keep: { type: "boolean" }, verbose: { type: "boolean" }, help: { type: "boolean", short: "h" } },
    }).values;
  } catch (error) {
    console.error(`${error instanceof Error ? error.message : String(error)}\n\n${help}`);
    process.exit(2);
  }
};

const play = async (network: EmbeddedNetwork, say: (line: string) => void): Promise<boolean> => {
  const stage = await openStage(network, say);
  await playAll(stage);
  const failures = network
    .failures()
    .map(({ function: name, error }) => `${name}: ${error instanceof Error ? error.message : String(error)}`);
  stage.found("handlers that failed", "none", failures.length === 0 ? "none" : failures.join("; "));
  say(`\n${tableOf(inOrder(stage.findings))}\n`);
  return stage.findings.every(holds);
};

const { keep = false, verbose = false, help: asked = false } = optionsFrom(process.argv.slice(2));
if (asked) {
  console.log(help);
  process.exit(0);
}
if (!verbose) Object.assign(process.env, { POWERTOOLS_LOG_LEVEL: "SILENT", POWERTOOLS_METRICS_DISABLED: "true" });

const began = Date.now();
const say = (line: string): void =>
  console.log(line.startsWith("\n") ? line : `${((Date.now() - began) / 1_000).toFixed(1).padStart(5)} s  ${line}`);
const network = await startNetwork("examples/two-regions/network.jsonc", { progress: say });
const held = await play(network, say);
console.log(held ? "Everything held." : "Not everything held: see the lines marked FAILED.");
if (keep) {
  console.log(howToPlay(network));
  process.once("SIGINT", () => void network.stop());
} else {
  await network.stop();
}
process.exitCode = held ? 0 : 1;
