import { execFile } from "node:child_process";
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterEach, beforeEach, describe, expect, test } from "vitest";

const repository = join(import.meta.dirname, "../..");
const imports = 'import { beforeAll, describe, expect, test } from "vitest";\n';
const passing = 'test("passes", () => expect(1).toBe(1));\n';

const config = `import { defineConfig } from "vitest/config";
import { ClosingLineReporter } from "${repository}/test/support/closing-line-reporter.ts";
export default defineConfig({ test: { reporters: ["default", new ClosingLineReporter()] } });
`;

describe("a test run ends with its numbers, alone on the last line", () => {
  let folder: string;

  beforeEach(async () => {
    await mkdir(join(repository, ".cache"), { recursive: true });
    folder = await mkdtemp(join(repository, ".cache/closing-line-")); // inside the repository: planted tests find vitest
    await writeFile(join(folder, "vitest.config.ts"), config);
  });
  afterEach(() => rm(folder, { recursive: true }));

  /** Everything the run printed, errors included, whatever its exit code. */
  const runOf = async (code: string): Promise<string> => {
    await writeFile(join(folder, "planted.test.ts"), imports + code);
    const run = promisify(execFile)("sh", ["-c", "vitest run 2>&1"], {
      cwd: folder,
      env: { ...process.env, PATH: `${join(repository, "node_modules/.bin")}:${process.env.PATH}` },
    });
    return run.then(
      ({ stdout }) => stdout,
      (failed: { stdout: string }) => failed.stdout,
    );
  };

  test("what is skipped for a reason says it once, on the line before", async () => {
    const skipping =
      'describe("x", () => {\n  beforeEach(({ skip }) => skip("no AWS here"));\n  test("one", () => {});\n  test("two", () => {});\n});\n';
    const lines = (await runOf(`import { beforeEach } from "vitest";\n${passing}${skipping}`)).trimEnd().split("\n");
    expect(lines.slice(-2)).toEqual(["2 skipped: no AWS here", "1 passed, 0 failed, 2 skipped"]);
  });

  test.for([
    {
      rule: "passed, failed and skipped tests are counted",
      code: `${passing}test("fails", () => expect(1).toBe(2));\ntest.skip("is skipped", () => {});\n`,
      ends: "1 passed, 1 failed, 1 skipped",
    },
    { rule: "a todo counts as skipped", code: `${passing}test.todo("later");\n`, ends: "1 passed, 0 failed, 1 skipped" },
    {
      rule: "a hook that fails is a failure, and its tests didn't run",
      code: `${passing}describe("x", () => {\n  beforeAll(() => Promise.reject(new Error("hook")));\n  test("never runs", () => {});\n});\n`,
      ends: "1 passed, 1 failed, 1 skipped",
    },
    { rule: "a file that doesn't load is a failure", code: 'throw new Error("on import");\n', ends: "0 passed, 1 failed, 0 skipped" },
    {
      rule: "an error nobody caught is a failure",
      code: `${passing}void Promise.reject(new Error("late"));\n`,
      ends: "1 passed, 1 failed, 0 skipped",
    },
  ])("$rule", async ({ code, ends }) => {
    expect((await runOf(code)).trimEnd().split("\n").at(-1)).toBe(ends);
  });
});
