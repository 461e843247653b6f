/** Writes docs/guarantees.md; a test says when it is out of date. */
import { writeFile } from "node:fs/promises";
import { parseArgs } from "node:util";
import { documentOf } from "./document.ts";
import { guarantees } from "./table.ts";

const help = `npm run guarantees

Writes docs/guarantees.md as test/guarantees/table.ts has it. \`npm test -- --project guarantees\` plays its rows.

  --help  this`;

const file = "docs/guarantees.md";
if (parseArgs({ options: { help: { type: "boolean" } } }).values.help) process.stdout.write(`${help}\n`);
else {
  await writeFile(file, documentOf(guarantees));
  process.stdout.write(`${file} has the table of test/guarantees/table.ts\n`);
}
