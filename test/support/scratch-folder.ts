import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** A folder that goes with the process: for what is made outside a single test. */
export const scratchFolder = (): string => {
  const path = mkdtempSync(join(tmpdir(), "spanmq-"));
  process.once("exit", () => rmSync(path, { recursive: true, force: true }));
  return path;
};
