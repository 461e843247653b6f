import { execFile } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { copyOfSources } from "./copy-of-sources.ts";
import { apply, type Fault } from "./fault.ts";

/** What became of a planted fault. Only `dies` is as it should be. */
export interface Finding {
  readonly fault: string;
  readonly verdict: "dies" | "survives" | "dies by an exception" | "doesn't compile" | "its test is gone" | "doesn't apply";
  /** The first line of the assertion, or what is wrong. */
  readonly why: string;
}

/** Plants one fault after the other in a copy of the sources. */
export const plantAll = async (faults: readonly Fault[], progress: (line: string) => void): Promise<readonly Finding[]> => {
  const sources = copyOfSources();
  const findings: Finding[] = [];
  for (const [index, fault] of faults.entries()) {
    const finding = await plant(fault, sources);
    findings.push(finding);
    progress(`${index + 1} of ${faults.length} ${fault.name}: ${finding.verdict}`);
  }
  return findings;
};

const plant = async (fault: Fault, sources: string): Promise<Finding> => {
  const found = (verdict: Finding["verdict"], why: string): Finding => ({ fault: fault.name, verdict, why });
  try {
    await apply(fault, sources);
  } catch (error) {
    return found("doesn't apply", error instanceof Error ? error.message : String(error));
  }
  try {
    const [faulty, result] = await Promise.all([typeFaults(sources), resultOf(fault, sources)]);
    if (faulty !== undefined) return found("doesn't compile", faulty);
    if (!result) return found("its test is gone", `${fault.file} has no test ${fault.test}`);
    if (result.status === "passed") return found("survives", `${fault.test} passes`);
    const [message = ""] = result.failureMessages;
    return found(/\bAssertionError\b/.test(message) ? "dies" : "dies by an exception", message.split("\n", 1)[0] ?? "");
  } finally {
    await apply(fault, sources, "--reverse");
  }
};

const run = async (
  sources: string,
  script: string,
  ...args: readonly string[]
): Promise<{ readonly failed: boolean; readonly stdout: string }> => {
  try {
    const { stdout } = await promisify(execFile)(process.execPath, [script, ...args], { cwd: sources });
    return { failed: false, stdout };
  } catch (error) {
    const { stdout } = error as { readonly stdout?: string };
    if (stdout === undefined) throw error;
    return { failed: true, stdout };
  }
};

const typeFaults = async (sources: string): Promise<string | undefined> => {
  const { failed, stdout } = await run(sources, "node_modules/typescript/bin/tsc", "-p", ".");
  return failed ? stdout : undefined;
};

interface TestResult {
  readonly ancestorTitles: readonly string[];
  readonly title: string;
  readonly status: string;
  readonly failureMessages: readonly string[];
}

/** Runs the named test alone. */
const resultOf = async ({ file, test }: Fault, sources: string): Promise<TestResult | undefined> => {
  const report = join(sources, "report.json");
  const pattern = `^\\s*${test.replace(/[.*+?^${}()|[\]\\]/g, "\\$&")}$`;
  await run(sources, "node_modules/vitest/vitest.mjs", "run", file, "-t", pattern, "--reporter", "json", "--outputFile", report);
  const { testResults } = JSON.parse(readFileSync(report, "utf8")) as { testResults: { assertionResults: TestResult[] }[] };
  const results = testResults.flatMap(({ assertionResults }) => assertionResults);
  return results.find(
    ({ ancestorTitles, title, status }) => [...ancestorTitles, title].join(" > ") === test && /^(passed|failed)$/.test(status),
  );
};
