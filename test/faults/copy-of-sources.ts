import { cpSync, symlinkSync } from "node:fs";
import { join, resolve } from "node:path";
import { scratchFolder } from "../support/scratch-folder.ts";

const folders = ["core", "aws", "functions", "infra", "client", "local", "bench", "scripts", "docs", "examples", "test"];
const files = ["package.json", "tsconfig.json", "vitest.config.ts", "cdk.json"];

/** All that tests and the type check need, in a folder of its own that goes with the process. */
export const copyOfSources = (): string => {
  const path = scratchFolder();
  for (const name of [...folders, ...files]) cpSync(name, join(path, name), { recursive: true });
  symlinkSync(resolve("node_modules"), join(path, "node_modules"));
  return path;
};
