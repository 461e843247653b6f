/** Writes docs/guarantees.md; a test says when it is out of date. */
import { writeFile } from "node:fs/promises";
import { documentOf } from "./document.ts";
import { guarantees } from "./table.ts";

await writeFile("docs/guarantees.md", documentOf(guarantees));
