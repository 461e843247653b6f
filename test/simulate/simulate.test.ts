import { describe, expect, test } from "vitest";
import { simulateRuns } from "./run.ts";

/** The first histories, always the same ones: `npm run simulate` plays others. */
const seed = Number(process.env.SPANMQ_SEED || 1);

describe(`random histories of random networks, seed ${seed}`, () => {
  test("break no law", async () => {
    const { broken, runs } = await simulateRuns(60, seed);
    expect({ broken, runs }).toEqual({ broken: [], runs: 60 });
  });

  test("are the same for the same seed", async () => {
    const [one, other] = [await simulateRuns(2, seed), await simulateRuns(2, seed)];
    expect(other).toEqual(one);
  });
});
