import { describe, expect, test } from "vitest";
import { holds, inOrder, tableOf } from "../../local/demo/report.ts";

const kept = { scene: "(a) shares", expected: "15 / 15", seen: "15 / 15" };
const broken = { scene: "(b) topic", expected: "each once", seen: "7 received" };

describe("the demo's table", () => {
  test("marks what held and what didn't, in columns", () => {
    expect(tableOf([kept, broken]).split("\n")).toEqual([
      "        scene       promised   seen",
      expect.stringMatching(/^-+$/),
      "ok      (a) shares  15 / 15    15 / 15",
      "FAILED  (b) topic   each once  7 received",
    ]);
    expect([kept, broken].map(holds)).toEqual([true, false]);
  });

  test("tells the scenes in order, each scene's lines as they came", () => {
    const late = { ...kept, scene: "(a) exact" };
    const last = { ...kept, scene: "handlers" };
    expect(inOrder([broken, kept, last, late])).toEqual([kept, late, broken, last]);
  });
});
