import { describe, expect, test } from "vitest";
import { brokerId, linkId } from "../../../core/ids.ts";
import { levelsOf } from "../../../core/routing/ranking.ts";
import type { Candidate } from "../../../core/routing/view.ts";

const here = (priority: number): Candidate => ({
  to: "consumers",
  id: `consumers@${priority}`,
  priority,
  weight: 1,
  capacity: 10,
});
const link = (to: string, priority = 0): Candidate => ({ to: "link", id: to, priority, weight: 1, link: linkId(brokerId("a"), to) });

describe("candidates stand on levels", () => {
  test.for([
    { rule: "QUE-1: by priority, highest first", candidates: [here(-1), link("b", 5), link("c", 5)], levels: "b c > consumers@-1" },
    {
      rule: "useConsumerPriority false: all on one",
      candidates: [here(-1), link("b", 5), link("c", -7)],
      ranking: { useConsumerPriority: false, strictOrderDispatch: false },
      levels: "consumers@-1 b c",
    },
    {
      rule: "QUE-3: in strict order each on its own, priorities first",
      candidates: [here(0), link("b", 5), link("c", 5), link("d")],
      ranking: { useConsumerPriority: true, strictOrderDispatch: true },
      levels: "b > c > consumers@0 > d",
    },
    {
      rule: "in strict order without priorities: as they stand in the view, consumers here first",
      candidates: [here(0), link("b", 5), link("c", 9)],
      ranking: { useConsumerPriority: false, strictOrderDispatch: true },
      levels: "consumers@0 > b > c",
    },
  ])("$rule", ({ candidates, ranking, levels }) => {
    const said = levelsOf(candidates, ranking).map((level) => level.map(({ id }) => id).join(" "));
    expect(said.join(" > ")).toBe(levels);
  });
});
