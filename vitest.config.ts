import { defineConfig, type TestProjectConfiguration } from "vitest/config";
import { ClosingLineReporter } from "./test/support/closing-line-reporter.ts";

interface ProjectNeeds {
  /** Pure suites share one module graph: no start-up per file. */
  readonly isolate?: false;
  /** Milliseconds for one test and for one hook. */
  readonly timeout?: number;
}

const project = (name: string, { isolate, timeout = 5_000 }: ProjectNeeds = {}): TestProjectConfiguration => ({
  extends: true,
  test: {
    name,
    include: [`test/${name}/**/*.test.ts`],
    isolate: isolate ?? true,
    testTimeout: timeout,
    hookTimeout: 2 * timeout,
  },
});

export default defineConfig({
  test: {
    maxWorkers: 2,
    reporters: ["default", new ClosingLineReporter()],
    projects: [
      project("core", { isolate: false, timeout: 60_000 }),
      project("aws", { timeout: 20_000 }),
      project("functions", { isolate: false, timeout: 20_000 }),
      project("infra", { timeout: 60_000 }),
      project("client", { timeout: 300_000 }),
      project("local", { timeout: 300_000 }),
      project("bench", { timeout: 60_000 }),
      project("oracle", { timeout: 20_000 }),
      project("chaos", { isolate: false, timeout: 120_000 }),
      project("simulate", { isolate: false, timeout: 120_000 }),
      project("guarantees", { isolate: false, timeout: 20_000 }),
      project("faults", { isolate: false, timeout: 60_000 }),
      project("e2e", { timeout: 180_000 }),
    ],
  },
});
