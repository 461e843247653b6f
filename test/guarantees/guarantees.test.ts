import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { documentOf } from "./document.ts";
import { allMoments, type Moment, told } from "./moments.ts";
import { play } from "./play.ts";
import { guarantees, rowsOf } from "./table.ts";
import { canBefall, traits } from "./traits.ts";
import { windows } from "./windows.ts";

const named = guarantees.map((path) => [`${path.path}, ${path.mode}:`, path] as const);

describe.for(named)("%s", ([, path]) => {
  const { scene } = path;
  test.for(rowsOf(path).map((row) => [`${told(row.when).text}: delivered ${row.delivered}`, row] as const))(
    "%s",
    async ([, { when, delivered, behindOnce = delivered }]) => {
      const { calls: _, ...played } = await play(scene, when);
      expect(played).toEqual({ struck: true, delivered, behindOnce, left: [] });
    },
  );

  const possible = allMoments.filter((when) => canBefall(when, scene));

  test("it has a row for each moment that can befall it, and for no other", () => {
    const has = rowsOf(path).map(({ when }) => when);
    const missing = possible.filter((when) => !has.includes(when));
    const needless = has.filter((when) => !possible.includes(when));
    expect({ missing, needless }).toEqual({ missing: [], needless: [] });
  });

  const strikesOf = (when: Moment): string => JSON.stringify(told(when).strikes);
  const strikeAlike = new Set(possible.map(strikesOf));

  test("what it has no row for doesn't strike there, or strikes as something does that has one", async () => {
    const { calls, ...calm } = await play(scene);
    expect(calm).toEqual({ struck: true, delivered: 1, behindOnce: 1, left: [] });
    const others = allMoments.filter((when) => !possible.includes(when) && told(when).strikes && !strikeAlike.has(strikesOf(when)));
    for (const when of others.filter((one) => calls.some((call) => call === told(one).strikes?.[0]?.call)))
      expect({ when, struck: (await play(scene, when)).struck }).toEqual({ when, struck: false });
  });
});

const rows = guarantees.flatMap((path) => rowsOf(path).map((row) => ({ ...row, path })));

test("what doubles does it in a window", () => {
  expect(rows.filter(({ delivered, window }) => delivered > 1 !== (window !== undefined))).toEqual([]);
});

test("what is lost is lost in AT_MOST_ONCE, or to time where order forbids to send it anew", () => {
  const losing = rows.filter(({ delivered }) => delivered === 0);
  const byTime = losing.filter(({ path: { mode } }) => mode !== "AT_MOST_ONCE");
  expect(new Set(byTime.map(({ when, path: { path } }) => `${path}: ${when}`))).toEqual(
    new Set(["Redrive of undelivered → its link, FIFO: long away", "Redrive of undelivered → its link, FIFO: too long away"]),
  );
});

test("each window is shown by a row, but for those that need a thousand deaths or wrong clocks", () => {
  expect(new Set([...rows.flatMap(({ window = [] }) => window), "moved-by-hand", "clocks-apart"])).toEqual(new Set(Object.keys(windows)));
});

test("each reason why something can't happen is one somewhere", () => {
  const needed = new Set(allMoments.flatMap((when) => told(when).needs));
  expect(needed).toEqual(new Set(Object.keys(traits)));
});

test("docs/guarantees.md says what this table says (else: npm run guarantees)", () => {
  expect(readFileSync("docs/guarantees.md", "utf8")).toBe(documentOf(guarantees));
});
