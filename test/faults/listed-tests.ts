import { execFile } from "node:child_process";
import { readFileSync } from "node:fs";
import { join, relative } from "node:path";
import { promisify } from "node:util";
import { scratchFolder } from "../support/scratch-folder.ts";
import type { Fault } from "./fault.ts";

/** The tests of these files by their full names, as vitest collects them: rows of tables have the names that they run under. */
export const listedTests = async (files: readonly string[]): Promise<readonly Pick<Fault, "file" | "test">[]> => {
  const list = join(scratchFolder(), "list.json");
  const vitest = "node_modules/vitest/vitest.mjs";
  await promisify(execFile)(process.execPath, [vitest, "list", "--no-static-parse", "--json", list, ...new Set(files)]);
  const listed = JSON.parse(readFileSync(list, "utf8")) as readonly { readonly file: string; readonly name: string }[];
  return listed.map(({ file, name }) => ({ file: relative(".", file), test: name }));
};
