import { parseArgs } from "node:util";
import { allFaults } from "./fault.ts";
import { plantAll } from "./run.ts";

const help = `npm run --silent faults -- [--only NAME]

Plants each fault of test/faults in a copy of the sources and runs the test that its patch names: it must compile, and die of an assertion.
Prints one JSON document; ends with code 1 if a fault survives.

  --only NAME  this one fault, without .patch
  --help       this`;

const { values } = parseArgs({ options: { only: { type: "string" }, help: { type: "boolean" } } });
const faults = allFaults().filter(({ name }) => values.only === undefined || name === values.only);
if (values.help) process.stdout.write(`${help}\n`);
else if (faults.length === 0) {
  process.stderr.write(
    `no fault is named ${values.only}: ${allFaults()
      .map(({ name }) => name)
      .join(", ")}\n\n${help}\n`,
  );
  process.exitCode = 2;
} else {
  const findings = await plantAll(faults, (line) => process.stderr.write(`${line}\n`));
  process.stdout.write(`${JSON.stringify(findings, null, 2)}\n`);
  process.exitCode = findings.every(({ verdict }) => verdict === "dies") ? 0 : 1;
}
