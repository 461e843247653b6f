import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { onTestFinished } from "vitest";

/** A folder with these files, for the length of a test. */
export const folderWith = (files: Readonly<Record<string, string>>): string => {
  const path = mkdtempSync(join(tmpdir(), "spanmq-"));
  onTestFinished(() => rmSync(path, { recursive: true }));
  for (const [name, text] of Object.entries(files)) writeFileSync(join(path, name), text);
  return path;
};
