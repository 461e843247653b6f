import { describe, expect, test } from "vitest";
import { bodyOf } from "./cells.ts";
import { playNetwork } from "./network/history.ts";
import { storyOf } from "./network/story.ts";
import { chaos } from "./run.ts";

/** The first histories, always the same ones: `npm run chaos` plays others. */
const seed = Number(process.env.SPANMQ_SEED || 1);

describe(`random histories under random faults, seed ${seed}`, () => {
  test("break no law", async () => {
    const { broken, runs } = await chaos(25, seed);
    expect({ broken, runs }).toEqual({ broken: [], runs: 25 });
  });

  test("are the same for the same seed", async () => {
    const [one, other] = [await chaos(1, seed), await chaos(1, seed)];
    expect(other).toEqual(one);
  });

  test("tell the story of each message, to its consumer", async () => {
    const { tallies } = await playNetwork(seed);
    for (const cell of tallies.keys())
      expect(await storyOf(seed, bodyOf(cell, 0))).toContainEqual(expect.stringContaining("consumer receives from "));
  });
});
