import { describe, expect, test } from "vitest";
import { countLeft } from "../../../../core/broker/sweep/left.ts";

/** Each reading of a queue takes the next figure; the last one stays. */
const counting = (figures: Readonly<Record<string, readonly number[]>>, depthLag = 60_000) => {
  const readings: string[] = [];
  const slept: number[] = [];
  const contents = {
    messagesIn: async (queue: string) => {
      const taken = figures[queue] ?? [0];
      const before = readings.filter((reading) => reading === queue).length;
      readings.push(queue);
      return taken[Math.min(before, taken.length - 1)] ?? 0;
    },
  };
  const count = () => countLeft({ contents, depthLag, sleep: async (ms) => void slept.push(ms) }, { fed: ["in"], resting: ["q"] });
  return { count, readings, slept };
};

describe("what is left", () => {
  test.for([
    { rule: "nothing in empty queues, read once", figures: {}, left: [], slept: [] },
    { rule: "what rests, at once", figures: { q: [3] }, left: [{ queue: "q", messages: 3 }], slept: [] },
    { rule: "not a probe that is taken meanwhile", figures: { in: [1, 0] }, left: [], slept: [60_000] },
    {
      rule: "what dispatch can't get rid of, after five readings",
      figures: { in: [2, 2, 1] },
      left: [{ queue: "in", messages: 1 }],
      slept: [60_000, 60_000, 60_000, 60_000],
    },
  ])("is $rule", async ({ figures, left, slept }) => {
    const counted = counting(figures);
    expect([await counted.count(), counted.slept]).toEqual([left, slept]);
  });

  test("is read where messages come from before where they go", async () => {
    const { count, readings } = counting({ in: [1, 1, 0] });
    await count();
    expect(readings).toEqual(["in", "in", "in", "q"]);
  });

  test("is waited for a second at least, however exact the figures: an event source needs its time", async () => {
    const { count, slept } = counting({ in: [1, 0] }, 0);
    await count();
    expect(slept).toEqual([1_000]);
  });
});
