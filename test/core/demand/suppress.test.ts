import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { type LinkDemand, suppressDuplicates } from "../../../core/demand/suppress.ts";
import { aGroup, aLinkFrom } from "../../support/a-connector.ts";

const over = (to: string, path: string, fields: { priority?: number; suppresses?: boolean; group?: string } = {}): LinkDemand => ({
  connector: aLinkFrom("a", to, { suppressDuplicateQueueSubscriptions: fields.suppresses ?? true }),
  group: aGroup(path, { priority: fields.priority ?? 0, group: fields.group ?? "priority 0" }),
});
const kept = (demands: readonly LinkDemand[], kind: "queue" | "topic" = "queue") =>
  suppressDuplicates(demands, kind).map(({ connector, group }) => `${connector.to} ${group.path.join("")}`);

describe("suppressDuplicates at a", () => {
  test.for([
    { rule: "SUP-2: one way alone stays", demands: [over("b", "zb")], expected: ["b zb"] },
    {
      rule: "SUP-2: of two ways to the same consumers the shorter stays",
      demands: [over("c", "zdc"), over("b", "zb")],
      expected: ["b zb"],
    },
    {
      rule: "SUP-3: of two as long the one of higher priority stays",
      demands: [over("b", "zdb"), over("c", "zdc", { priority: 1 })],
      expected: ["c zdc"],
    },
    {
      rule: "a higher priority beats no shorter way: two brokers would each wait for the other's",
      demands: [over("b", "zb"), over("c", "zdc", { priority: 1 })],
      expected: ["b zb"],
    },
    { rule: "SUP-3: equal in all, the link's name decides", demands: [over("c", "zc"), over("b", "zb")], expected: ["b zb"] },
    { rule: "SUP-2: consumers of two brokers are not the same", demands: [over("b", "zb"), over("c", "yc")], expected: ["b zb", "c yc"] },
    {
      rule: "SUP-2: nor are two groups of one broker",
      demands: [over("b", "zb"), over("c", "zc", { group: "priority 5" })],
      expected: ["b zb", "c zc"],
    },
    {
      rule: "a link that doesn't suppress gives no way",
      demands: [over("c", "zdc", { suppresses: false }), over("b", "zb")],
      expected: ["c zdc", "b zb"],
    },
    {
      rule: "a link that does gives way to one that doesn't",
      demands: [over("c", "zdc"), over("b", "zb", { suppresses: false })],
      expected: ["b zb"],
    },
    {
      rule: "several ways over the winning link all stay: peers judge each",
      demands: [over("b", "zb"), over("b", "zyb")],
      expected: ["b zb", "b zyb"],
    },
  ])("$rule", ({ demands, expected }) => {
    expect(kept(demands)).toEqual(expected);
  });

  test("topics suppress by default, queues don't", () => {
    const demands = ["b", "c"].map((to) => ({ connector: aLinkFrom("a", to), group: aGroup(`z${to}`) }));
    expect([kept(demands, "topic"), kept(demands, "queue")]).toEqual([["b zb"], ["b zb", "c zc"]]);
  });

  test.for<{ rule: string; known: readonly string[] | undefined; wants: readonly string[] | undefined; stays: boolean }>([
    { rule: "wants what the winner brings", known: ["x", "y"], wants: ["x"], stays: false },
    { rule: "wants less than the winner brings", known: undefined, wants: ["x"], stays: false },
    { rule: "wants something else", known: ["y"], wants: ["x"], stays: true },
    { rule: "wants everything", known: ["y"], wants: undefined, stays: true },
  ])("of a topic a group that the winning link doesn't know gives way if it $rule: $stays", ({ known, wants, stays }) => {
    const demand = (to: string, group: string, selectors?: readonly string[]): LinkDemand => ({
      connector: aLinkFrom("a", to),
      group: aGroup(`z${to}`, { group, ...(selectors && { selectors }) }),
    });
    const demands = [demand("b", "one", known), demand("c", "one", known), demand("c", "other", wants)];
    expect(suppressDuplicates(demands, "topic")).toEqual(stays ? [demands[0], demands[2]] : [demands[0]]);
  });

  test("where all links suppress, one link is left per origin and group, whatever order they came in", () => {
    const demand = fc
      .record({ to: fc.constantFrom("b", "c", "d"), way: fc.stringMatching(/^[xyz][efg]{0,2}$/), priority: fc.integer({ min: 0, max: 2 }) })
      .map(({ to, way, priority }) => over(to, way + to, { priority }));
    fc.assert(
      fc.property(fc.array(demand, { minLength: 1 }), (demands) => {
        const left = suppressDuplicates(demands, "queue");
        for (const ways of Map.groupBy(left, ({ group }) => group.origin).values()) {
          expect(new Set(ways.map(({ connector }) => connector.to))).toHaveLength(1);
        }
        expect(new Set(left.map(({ group }) => group.origin))).toEqual(new Set(demands.map(({ group }) => group.origin)));
        expect(kept(demands.toReversed()).toSorted()).toEqual(kept(demands).toSorted());
      }),
    );
  });
});
