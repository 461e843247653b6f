import { expect, test } from "vitest";
import { drawHistory } from "./draw/history.ts";
import type { History } from "./history.ts";
import { shrink } from "./shrink.ts";

/** Broken as long as somebody consumes the queue behind a link, and a message is sent. */
const isBroken = async ({ network, before, steps }: History): Promise<boolean> =>
  Object.values(network.brokers).some(({ networkConnectors = [] }) => networkConnectors.length > 0) &&
  [...before, ...steps].some(({ step }) => step === "consume") &&
  steps.some(({ step }) => step === "send");

test("a history shrinks to the steps, brokers and connectors that it takes to break its law", async () => {
  const seeds = Array.from({ length: 40 }, (_, seed) => seed + 1);
  for (const seed of seeds) {
    const history = drawHistory(seed);
    if (!(await isBroken(history))) continue;
    const { history: small } = await shrink(history, isBroken);
    const connectors = Object.values(small.network.brokers).flatMap(({ networkConnectors = [] }) => networkConnectors);
    expect([...small.before, ...small.steps].map(({ step }) => step).toSorted()).toEqual(["consume", "send"]);
    expect(Object.keys(small.network.brokers).length).toBeLessThanOrEqual(4);
    expect(connectors.map((one) => Object.keys(one))).toEqual([["name", "to"]]);
    expect([small.faults, small.quietSends]).toEqual([[], []]);
  }
});
