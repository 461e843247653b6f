import { describe, expect, test } from "vitest";
import type { HandOver } from "../../core/ports.ts";
import { calm, type Disturbance } from "../support/simulator/disturbance.ts";
import { bodyOf, type Cell } from "./cells.ts";
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

test("where all clocks agree no claim is taken from who may be alive", async () => {
  // Two handlers have a copy at once in these: a claim that one took from the other would double it.
  for (const at of [70, 121, 152, 182, 200, 215, 218]) {
    const { tallies } = await playNetwork(at, (disturbance) => ({ ...disturbance, skew: calm.skew }));
    const all = [...tallies.values()];
    expect(all.flatMap(({ doubled }) => doubled)).toEqual([]);
    expect(all.flatMap(({ excused }) => Object.keys(excused))).not.toContain("clocks-apart");
  }
});

/** Whatever brokers hand to targets of their own they hand over twice, as two messages; no fault tells why. */
const doubling = <D extends Disturbance>(disturbance: D): D => {
  const isMeant = ({ target }: HandOver): boolean => target.to !== "link" && target.to !== "undelivered";
  return {
    ...disturbance,
    invocation: (ports, work, about) => {
      const { handOver } = ports.targets;
      const asAnother = ({ order, ...one }: HandOver): HandOver =>
        order ? { ...one, order: { ...order, deduplicationId: `${order.deduplicationId}-again` } } : one;
      const twice = async (handOvers: readonly HandOver[]) => {
        await handOver(handOvers.filter(isMeant).map(asAnother));
        return handOver(handOvers);
      };
      return disturbance.invocation({ ...ports, targets: { handOver: twice } }, work, about);
    },
  };
};

test.for<{ cell: Cell; seed: number }>([
  { cell: "fifo-direct.unaudited", seed: 11 },
  { cell: "fifo-queue.unaudited", seed: 50 },
  { cell: "fifo-topic.unaudited", seed: 104 },
  { cell: "fifo-queue.audited", seed: 13 },
  { cell: "queue.unaudited", seed: 7 },
  { cell: "direct.unaudited", seed: 11 },
  { cell: "composite.unaudited", seed: 14 },
])("what doubles in $cell breaks the law where no fault explains it", async ({ cell, seed: at }) => {
  const { sent = 0, doubled = [] } = (await playNetwork(at, doubling)).tallies.get(cell) ?? {};
  expect(doubled.length / sent).toBeGreaterThan(0.5);
});
