import { execFile } from "node:child_process";
import { readFile } from "node:fs/promises";
import { promisify } from "node:util";
import { beforeAll, describe, expect, test } from "vitest";
import type { ControlCalls } from "../../bench/control/count-control.ts";
import type { Findings } from "../../bench/run.ts";

describe("calls of control", () => {
  let counted: readonly ControlCalls[];
  beforeAll(async () => {
    const { stdout } = await promisify(execFile)(process.execPath, ["bench/bench.entry.ts", "--json", "--only", "control"]);
    const { control = [] }: Findings = JSON.parse(stdout);
    counted = control;
  }, 600_000);

  test("for each of 2,000 destinations at five brokers are no more than for each of 20, whatever happens to them", () => {
    const scenes = [...Map.groupBy(counted, ({ what }) => what).values()];
    expect(scenes).toHaveLength(5);
    for (const [few, many] of scenes) {
      expect([few?.destinations, many?.destinations]).toEqual([20, 2_000]);
      expect(few?.callsPerDestination.sum, few?.what).toBeGreaterThan(0);
      expect(many?.callsPerDestination.sum, many?.what).toBeLessThanOrEqual(few?.callsPerDestination.sum ?? 0);
    }
  });

  test("are those that docs/performance.md has", async () => {
    const lines = (await readFile("docs/performance.md", "utf8")).split("\n").map((line) => line.split("|").map((cell) => cell.trim()));
    for (const { what, destinations, callsPerDestination: calls } of counted) {
      const cells = lines.find(([, first, second]) => first === what && second === String(destinations));
      const figures = [calls.sqs, calls.sns, calls.dynamodb, calls.lambda, calls.sum];
      expect(cells?.slice(3, 8), `${what}, ${destinations}`).toEqual(figures.map((n) => n.toFixed(2)));
    }
  });
});
