/** Writes the JSON Schema of `network.jsonc` to docs/; a test says when it is out of date. */
import { writeFile } from "node:fs/promises";
import { networkJsonSchema } from "../core/config/json-schema.ts";

await writeFile("docs/network.schema.json", `${JSON.stringify(networkJsonSchema(), null, 2)}\n`);
