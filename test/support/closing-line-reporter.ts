import type { Reporter, TestModule } from "vitest/node";

/** A module or suite that fails outside its tests (an import, a hook) runs none of them: each of its errors is a failure of its own. */
const errorsOutsideTests = (module: TestModule): number =>
  module.errors().length + [...module.children.allSuites()].reduce((sum, suite) => sum + suite.errors().length, 0);

/** Ends every run with `N passed, N failed, N skipped`, alone on the last line, after the reasons for skipping. A todo counts as skipped. */
export class ClosingLineReporter implements Reporter {
  onTestRunEnd(modules: readonly TestModule[], unhandledErrors: readonly unknown[]): void {
    const reasons: string[] = [];
    const count = { passed: 0, failed: unhandledErrors.length, skipped: 0 };
    for (const module of modules) {
      count.failed += errorsOutsideTests(module);
      for (const test of module.children.allTests()) {
        const result = test.result();
        count[result.state === "pending" ? "failed" : result.state] += 1;
        if (result.state === "skipped" && result.note !== undefined) reasons.push(result.note);
      }
    }
    for (const [reason, skipped] of Map.groupBy(reasons, (reason) => reason))
      process.stdout.write(`${skipped.length} skipped: ${reason}\n`);
    process.stdout.write(`${count.passed} passed, ${count.failed} failed, ${count.skipped} skipped\n`);
  }
}
