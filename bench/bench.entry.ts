import { missedLimits } from "./missed.ts";
import { help, type Options, readOptions, UsageError } from "./options.ts";
import { report } from "./report.ts";
import { run } from "./run.ts";

const optionsFrom = (args: readonly string[]): Options => {
  try {
    const options = readOptions(args);
    if (options !== "help") return options;
    console.log(help);
    process.exit(0);
  } catch (error) {
    if (!(error instanceof UsageError)) throw error;
    console.error(`${error.message}\n\n${help}`);
    process.exit(2);
  }
};

const options = optionsFrom(process.argv.slice(2));
const findings = await run(options, (line) => console.error(line));
console.log(options.json ? JSON.stringify(findings, null, 2) : report(findings));
const missed = options.assert ? missedLimits(findings) : [];
for (const line of missed) console.error(`limit missed: ${line}`);
if (missed.length > 0) process.exitCode = 1;
