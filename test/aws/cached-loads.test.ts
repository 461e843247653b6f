import { expect, test } from "vitest";
import { cachedLoads } from "../../aws/cached-loads.ts";

const orders = { to: "queue", destination: { kind: "queue", name: "orders" } } as const;

/** Depths that answer in turn. */
const depthsOf = (...answers: readonly (number | Error)[]) => {
  const left = [...answers];
  return {
    visible: async () => {
      const answer = left.shift();
      if (answer === undefined || answer instanceof Error) throw answer ?? new Error("asked once too often");
      return answer;
    },
  };
};

test("a reading serves half a minute; what was handed over since is added to it", async () => {
  let now = 0;
  const loads = cachedLoads(depthsOf(5, 1), () => now);
  expect(await loads.read(orders)).toBe(5);
  loads.add(orders, 10);
  now = 29_999;
  expect(await loads.read(orders)).toBe(15);
  now = 30_000;
  expect(await loads.read(orders)).toBe(1);
});

test("a reading that fails counts as empty, and is taken anew half a minute later", async () => {
  let now = 0;
  const loads = cachedLoads(depthsOf(new Error("throttled"), 7), () => now);
  expect(await loads.read(orders)).toBe(0);
  now = 30_000;
  expect(await loads.read(orders)).toBe(7);
});

test("what is handed over to a queue that was never read counts nowhere", async () => {
  const loads = cachedLoads(depthsOf(3), () => 0);
  loads.add(orders, 10);
  expect(await loads.read(orders)).toBe(3);
});
