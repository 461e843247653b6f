import { execFile } from "node:child_process";
import { copyFile, mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, test } from "vitest";

interface Planted {
  readonly rule: string;
  readonly file: string;
  readonly code: string;
  /** The lint rule that must refuse it; absent: the file must pass. */
  readonly refusedBy?: string;
}

const imports = (from: string) => `export * from "${from}";\n`;
const outward = "style/noRestrictedImports";
const ambient = "style/noRestrictedGlobals";

const planted: readonly Planted[] = [
  { rule: "core may import core", file: "core/link/a.ts", code: imports("../demand/demand.ts") },
  { rule: "core may import zod", file: "core/config/b.ts", code: imports("zod") },
  { rule: "core never imports aws", file: "core/link/c.ts", code: imports("../../aws/sqs/client.ts"), refusedBy: outward },
  {
    rule: "core never imports a type of aws either",
    file: "core/d.ts",
    code: 'export type { T } from "../aws/t.ts";\n',
    refusedBy: outward,
  },
  { rule: "core never imports an SDK", file: "core/e.ts", code: imports("@aws-sdk/client-sqs"), refusedBy: outward },
  { rule: "core never imports another package", file: "core/f.ts", code: imports("fastest-levenshtein"), refusedBy: outward },
  { rule: "core never imports Node", file: "core/g.ts", code: imports("node:crypto"), refusedBy: outward },
  { rule: "core never imports by a call", file: "core/h.ts", code: 'export const x = () => import("../aws/x.ts");\n', refusedBy: outward },
  { rule: "core has no clock", file: "core/i.ts", code: "export const now = () => Date.now();\n", refusedBy: ambient },
  { rule: "core has no process", file: "core/j.ts", code: "export const env = () => process.env;\n", refusedBy: ambient },
  { rule: "core has no timer", file: "core/k.ts", code: "export const wait = (f: () => void) => setTimeout(f, 1);\n", refusedBy: ambient },
  { rule: "core has no crypto", file: "core/l.ts", code: "export const id = () => crypto.randomUUID();\n", refusedBy: ambient },
  { rule: "core has no fetch", file: "core/m.ts", code: 'export const get = () => fetch("x");\n', refusedBy: ambient },
  { rule: "core has no console", file: "core/n.ts", code: "export const log = () => console.log(1);\n", refusedBy: ambient },
  {
    rule: "core has no randomness",
    file: "core/o.ts",
    code: "export const roll = () => Math.random();\n",
    refusedBy: "nursery/noJsRestrictedProperties",
  },
  { rule: "core may use the rest of Math", file: "core/p.ts", code: "export const two = Math.max(1, 2);\n" },
  {
    rule: "a core file over 200 lines is refused",
    file: "core/q.ts",
    code: "export const one = 1;\n".repeat(201),
    refusedBy: "style/noExcessiveLinesPerFile",
  },
  { rule: "aws may import core", file: "aws/a.ts", code: imports("../core/ports.ts") },
  { rule: "aws may import the SDK", file: "aws/b.ts", code: imports("@aws-sdk/client-sqs") },
  { rule: "aws never imports functions", file: "aws/c.ts", code: imports("../functions/dispatch.ts"), refusedBy: outward },
  { rule: "aws never imports infra", file: "aws/d.ts", code: imports("../infra/app.ts"), refusedBy: outward },
  { rule: "functions may import aws", file: "functions/a.ts", code: imports("../aws/clients.ts") },
  { rule: "functions never import infra", file: "functions/b.ts", code: imports("../infra/app.ts"), refusedBy: outward },
  { rule: "functions never import the client", file: "functions/c.ts", code: imports("../client/connect.ts"), refusedBy: outward },
  { rule: "the client may import core", file: "client/a.ts", code: imports("../core/ids.ts") },
  { rule: "the client never imports functions", file: "client/b.ts", code: imports("../functions/dispatch.ts"), refusedBy: outward },
  { rule: "infra may import core/config", file: "infra/a.ts", code: imports("../core/config/slice.ts") },
  { rule: "infra may import core/destination", file: "infra/parts/b.ts", code: imports("../../core/destination/destination.ts") },
  { rule: "infra never imports the rest of core", file: "infra/c.ts", code: imports("../core/routing/plan.ts"), refusedBy: outward },
  { rule: "infra never imports aws", file: "infra/d.ts", code: imports("../aws/clients.ts"), refusedBy: outward },
  {
    rule: "infra names handlers by path, never imports them",
    file: "infra/e.ts",
    code: imports("../functions/dispatch.ts"),
    refusedBy: outward,
  },
  { rule: "local may import infra", file: "local/a.ts", code: imports("../infra/app.ts") },
  { rule: "local never imports test", file: "local/b.ts", code: imports("../test/support/fakes.ts"), refusedBy: outward },
  { rule: "the bench may import the simulator of test", file: "bench/d.ts", code: imports("../test/support/simulator/network.ts") },
  { rule: "the command line may import local", file: "cli/a.ts", code: imports("../local/runtime.ts") },
  { rule: "a test may import test", file: "test/core/a.test.ts", code: imports("../support/fakes.ts") },
  { rule: "the demo may print", file: "local/c.ts", code: "export const say = () => console.log(1);\n" },
  {
    rule: "a handler never prints",
    file: "functions/d.ts",
    code: "export const say = () => console.log(1);\n",
    refusedBy: "suspicious/noConsole",
  },
  {
    rule: "one half of a cycle is refused",
    file: "aws/left.ts",
    code: 'import { b } from "./right.ts";\nexport const a = () => b;\n',
    refusedBy: "suspicious/noImportCycles",
  },
  {
    rule: "and so is the other",
    file: "aws/right.ts",
    code: 'import { a } from "./left.ts";\nexport const b = () => a;\n',
    refusedBy: "suspicious/noImportCycles",
  },
  { rule: "enums are refused", file: "aws/e.ts", code: "export enum E {\n  a = 1,\n}\n", refusedBy: "style/noEnum" },
  { rule: "default exports are refused", file: "aws/f.ts", code: "export default 1;\n", refusedBy: "style/noDefaultExport" },
  { rule: "file names are kebab-case", file: "aws/someFile.ts", code: "export const a = 1;\n", refusedBy: "style/useFilenamingConvention" },
  { rule: "an entry's name is fine", file: "functions/dispatch.entry.ts", code: "export const a = 1;\n" },
  {
    rule: "only errors are thrown",
    file: "aws/g.ts",
    code: 'export const f = () => {\n  throw "x";\n};\n',
    refusedBy: "style/useThrowOnlyError",
  },
  {
    rule: "a promise is never left floating",
    file: "aws/h.ts",
    code: "const f = async () => 1;\nexport const g = () => {\n  f();\n};\n",
    refusedBy: "nursery/noFloatingPromises",
  },
  {
    rule: "a test is never skipped",
    file: "test/core/b.test.ts",
    code: 'import { test } from "vitest";\ntest.skip("x", () => {});\n',
    refusedBy: "suspicious/noSkippedTests",
  },
];

interface Diagnostic {
  readonly category: string;
  readonly severity: string;
  readonly location: { readonly path: string };
}

const biome = join(import.meta.dirname, "../../node_modules/.bin/biome");

/** What the linter says of a folder, whatever its exit code. */
const lint = async (folder: string): Promise<readonly Diagnostic[]> => {
  const args = ["lint", "--reporter=json", "--max-diagnostics=none", "--error-on-warnings", "."];
  const stdout = await promisify(execFile)(biome, args, { cwd: folder }).then(
    (done) => done.stdout,
    (failed: { stdout: string }) => failed.stdout,
  );
  return JSON.parse(stdout).diagnostics;
};

describe("the linter keeps the house rules", () => {
  let folder: string;
  let diagnostics: readonly Diagnostic[];

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), "spanmq-lint-"));
    for (const config of ["biome.json", ".gitignore"]) await copyFile(join(import.meta.dirname, "../..", config), join(folder, config));
    for (const { file, code } of planted) {
      await mkdir(dirname(join(folder, file)), { recursive: true });
      await writeFile(join(folder, file), code);
    }
    diagnostics = await lint(folder);
  });
  afterAll(() => rm(folder, { recursive: true }));

  test.for(planted)("$rule", ({ file, refusedBy }) => {
    const rules = diagnostics.filter(({ location }) => location.path === file).map(({ category }) => category.replace("lint/", ""));
    if (refusedBy) expect(rules).toContain(refusedBy);
    else expect(rules).toEqual([]);
  });
});
