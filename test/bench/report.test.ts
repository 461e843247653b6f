import { expect, test } from "vitest";
import { report } from "../../bench/report.ts";

const machine = { cores: 2, node: "v24.0.0", platform: "linux x64" };

test("a part that wasn't measured has no table", () => {
  expect(report({ machine })).toBe("2 cores, Node v24.0.0, linux x64");
});

test("each part is a table that a page can take", () => {
  const text = report({
    machine,
    names: { what: "look-ups", perSecond: 3_349_000 },
    cpu: [
      { door: "ingress", signatures: true, msPerThousand: 50 },
      { door: "ingress", signatures: false, msPerThousand: 9.04 },
    ],
    bundles: [{ handler: "dispatch", bytes: 645_375, loadMs: 74.4 }],
  });
  expect(text.split("\n\n").slice(1)).toEqual([
    [
      "| in a second of CPU | SpanMQ      | measured on a machine like this, not here  |",
      "| ------------------ | ----------- | ------------------------------------------ |",
      "| look-ups           | 3.3 million | ActiveMQ 2.9 million, qlobber 0.95 million |",
    ].join("\n"),
    [
      "| dispatch alone | CPU ms for 1,000 messages | without signatures |",
      "| -------------- | ------------------------- | ------------------ |",
      "| ingress        | 50.0                      | 9.0                |",
    ].join("\n"),
    ["| handler  | KB minified | ms to load |", "| -------- | ----------- | ---------- |", "| dispatch | 645         | 74         |"].join(
      "\n",
    ),
  ]);
});

test("a ratio stands beside its lowest and highest round", () => {
  const text = report({
    machine,
    throughput: [
      {
        ...{ way: "link", mode: "audited", hops: 2, messages: 100, rounds: 3 },
        ...{ perSecond: 1_000, bareLoopPerSecond: 2_000, ratio: 0.5, ratios: [0.4, 0.5, 0.625], cpuRatio: 0.55 },
      },
    ],
  });
  expect(text).toContain("| 100 messages, median of 3 rounds ");
  expect(text).toContain("| link, audited                    | 2    | 1000              | 2000      | 0.50  | 0.40   | 0.63    | 0.55   |");
});
