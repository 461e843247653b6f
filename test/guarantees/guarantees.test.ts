import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { documentOf } from "./document.ts";
import { told } from "./moments.ts";
import { play } from "./play.ts";
import { guarantees } from "./table.ts";
import { windows } from "./windows.ts";

describe.for(guarantees.map((path) => [`${path.path}, ${path.mode}:`, path] as const))("%s", ([, { scene, rows }]) => {
  test.for(rows.map((row) => [`${told(row.when).text}: delivered ${row.delivered}`, row] as const))(
    "%s",
    async ([, { when, delivered, behindOnce = delivered }]) => {
      expect(await play(scene, when)).toEqual({ struck: true, delivered, behindOnce, left: [] });
    },
  );
});

const rows = guarantees.flatMap((path) => path.rows.map((row) => ({ ...row, mode: path.mode })));

test("what doubles does it in a window, and only what an AT_MOST_ONCE bridge carries may be lost", () => {
  expect(rows.filter(({ delivered, window }) => delivered > 1 !== (window !== undefined))).toEqual([]);
  expect([...new Set(rows.flatMap(({ mode, delivered }) => (delivered === 0 ? [mode] : [])))]).toEqual(["AT_MOST_ONCE"]);
});

test("each window is shown by a row, but for those that need a thousand deaths or wrong clocks", () => {
  expect(new Set([...rows.flatMap(({ window = [] }) => window), "moved-by-hand", "clocks-apart"])).toEqual(new Set(Object.keys(windows)));
});

test("docs/guarantees.md says what this table says (else: npm run guarantees)", () => {
  expect(readFileSync("docs/guarantees.md", "utf8")).toBe(documentOf(guarantees));
});
