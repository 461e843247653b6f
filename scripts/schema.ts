/** Writes the JSON Schema of `network.jsonc` to docs/; a test says when it is out of date. */
import { writeFile } from "node:fs/promises";
import { parseArgs } from "node:util";
import { networkJsonSchema } from "../core/config/json-schema.ts";

const help = `npm run schema

Writes docs/network.schema.json as the schema in core/config/schema has it.

  --help  this`;

if (parseArgs({ options: { help: { type: "boolean" } } }).values.help) console.log(help);
else await writeFile("docs/network.schema.json", `${JSON.stringify(networkJsonSchema(), null, 2)}\n`);
