import { afterAll, describe, expect, test } from "vitest";
import { deviations } from "./compare.ts";
import { missingFor, waitingFor } from "./features.ts";
import { play } from "./play.ts";
import { purposes, refusals, rows } from "./purposes.ts";
import { isMissing, isOurs, recorded, type Scenario } from "./recording.ts";

const file = "activemq/network.json";
const scenarios = recorded<Scenario>(file, "scenarios");

/** Ids of differences that excused something. */
const used = new Set<string>();

const refusedBy = (scenario: Scenario): string | undefined => Object.entries(refusals).find(([, applies]) => applies(scenario))?.[0];
const missingIn = new Map((scenarios ?? []).map((scenario) => [scenario, missingFor(scenario)]));
const whole = [...missingIn].flatMap(([scenario, missing]) => (missing.length === 0 ? [scenario] : []));

describe(`what real brokers did: ${file}`, () => {
  if (!scenarios) test.todo(isMissing(file));

  test.for(whole.filter((scenario) => refusedBy(scenario) === undefined))("$id", async (scenario) => {
    const played = await play(scenario);
    const unexcused = deviations(scenario, played).filter((one) => {
      const excuse = Object.entries(purposes).find(([, excuses]) => excuses(one, scenario));
      if (excuse) used.add(excuse[0]);
      return !excuse;
    });
    expect(unexcused.map(({ what }) => what)).toEqual([]);
    expect(played.problems).toEqual([]);
  });

  test.for(whole.filter((scenario) => refusedBy(scenario) !== undefined))("$id is refused by our configuration", async (scenario) => {
    await expect(play(scenario)).rejects.toThrow("rename one");
  });

  test.runIf(isOurs)("every excuse is one that some recording needs", () => {
    expect([...used].toSorted()).toEqual(Object.keys(purposes).toSorted());
  });

  afterAll(() => void process.stdout.write(`${waitingFor(scenarios ?? [])}\n`));

  for (const [{ id }, missing] of missingIn) if (missing.length > 0) test.todo(`${id} needs ${missing.join(", ")}`);
});

describe("docs/differences.md", () => {
  test("has at most ten rows, each of which cites the design or a trap", () => {
    expect(rows().length).toBeLessThanOrEqual(10);
    for (const { id, source } of rows()) expect(`${id}: ${source}`).toMatch(/: .*(design ([1-9]|1[0-3])|traps? ([1-9]|1[0-5]))\b/);
  });

  test("has a row for every difference that excuses a deviation", () => {
    expect(rows().map(({ id }) => id)).toEqual(expect.arrayContaining([...Object.keys(purposes), ...Object.keys(refusals)]));
  });
});
