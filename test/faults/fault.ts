import { execFile } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";
import { resolve } from "node:path";
import { promisify } from "node:util";

/** A fault on purpose: a patch of our sources, and the test that dies of it. */
export interface Fault {
  readonly name: string;
  /** Absolute path of the patch. */
  readonly patch: string;
  readonly file: string;
  /** Names of its describes and its own, joined by ` > `. */
  readonly test: string;
}

const folder = "test/faults";
const header = /^Dies in: (?<file>\S+)\nTest: (?<test>.+)$/m;

export const allFaults = (): readonly Fault[] =>
  readdirSync(folder)
    .filter((name) => name.endsWith(".patch"))
    .map((name) => {
      const groups = header.exec(readFileSync(`${folder}/${name}`, "utf8"))?.groups;
      if (!groups) throw new Error(`${folder}/${name} must begin with "Dies in: <test file>" and "Test: <full name>", a line each`);
      return { name: name.slice(0, -".patch".length), patch: resolve(folder, name), file: groups.file ?? "", test: groups.test ?? "" };
    });

/** Applies a patch to the sources in a folder, or only sees whether it can be. */
export const apply = async ({ name, patch }: Fault, cwd: string, ...how: readonly ("--check" | "--reverse")[]): Promise<void> => {
  try {
    await promisify(execFile)("git", ["apply", ...how, patch], { cwd });
  } catch (cause) {
    throw new Error(
      `${folder}/${name}.patch doesn't apply any more: the code that it spoils has moved. Spoil it again where it is now, and write \`git diff -U1\` below the header of the patch`,
      { cause },
    );
  }
};
