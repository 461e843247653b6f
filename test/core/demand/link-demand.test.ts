import { describe, expect, test } from "vitest";
import { type LinkSource, linkDemandOf } from "../../../core/demand/link-demand.ts";
import { destinationOf } from "../../../core/destination/destination.ts";
import { brokerId } from "../../../core/ids.ts";
import { aGroup, aLinkFrom } from "../../support/a-connector.ts";

const source = (fields: Partial<LinkSource> & { readonly connector: LinkSource["connector"] }): LinkSource => ({
  groups: [],
  isStatic: false,
  ...fields,
});
const demand = (sources: readonly LinkSource[]) =>
  [...linkDemandOf(brokerId("a"), destinationOf("queue://x"), sources)].map(([link, groups]) => [
    link,
    groups.map(({ origin, path, priority, count }) => `${origin} ${path.join("")} ${priority} ${count}`),
  ]);

describe("linkDemandOf at a", () => {
  test.for([
    { rule: "a link without demand is absent", sources: [source({ connector: aLinkFrom("a", "b") })], expected: [] },
    {
      rule: "a peer's consumers are demand",
      sources: [source({ connector: aLinkFrom("a", "b"), groups: [aGroup("", { origin: "b", count: 3 })] })],
      expected: [["a:to-b", ["b b 0 1"]]],
    },
    {
      rule: "an excluded destination has none",
      sources: [source({ connector: aLinkFrom("a", "b", { excludedDestinations: ["queue://x"] }), groups: [aGroup("", { origin: "b" })] })],
      expected: [],
    },
    {
      rule: "DEM-9: a static include is demand without anybody",
      sources: [source({ connector: aLinkFrom("a", "b"), isStatic: true })],
      expected: [["a:to-b", ["b b 0 1"]]],
    },
    {
      rule: "DEM-9: under conduit it folds with the dynamic one",
      sources: [source({ connector: aLinkFrom("a", "b"), groups: [aGroup("", { origin: "b" })], isStatic: true })],
      expected: [["a:to-b", ["b b 0 1", "b b 0 0"]]],
    },
    {
      rule: "DEM-10: without conduit both count",
      sources: [
        source({ connector: aLinkFrom("a", "b", { conduitSubscriptions: false }), groups: [aGroup("", { origin: "b" })], isStatic: true }),
      ],
      expected: [["a:to-b", ["b b 0 1", "b b 0 1"]]],
    },
    {
      rule: "QUE-6: decreasing, distance lowers the priority",
      sources: [
        source({
          connector: aLinkFrom("a", "b", { consumerTTL: 2, decreaseNetworkConsumerPriority: true }),
          groups: [aGroup("c", { priority: 9 })],
        }),
      ],
      expected: [["a:to-b", ["c cb -8 1"]]],
    },
    { rule: "TTL-1: what is too far is none", sources: [source({ connector: aLinkFrom("a", "b"), groups: [aGroup("c")] })], expected: [] },
  ])("$rule", ({ sources, expected }) => {
    expect(demand(sources)).toEqual(expected);
  });

  test("an excluded link can't suppress the way over another", () => {
    const suppresses = { suppressDuplicateQueueSubscriptions: true, consumerTTL: 3 };
    const near = source({
      connector: aLinkFrom("a", "b", { ...suppresses, excludedDestinations: ["queue://x"] }),
      groups: [aGroup("", { origin: "z" })],
    });
    const far = source({ connector: aLinkFrom("a", "c", suppresses), groups: [aGroup("z")] });
    expect(demand([near, far])).toEqual([["a:to-c", ["z zc 0 1"]]]);
  });

  test.for([
    {
      rule: "a plain consumer's is, on a topic whose entry says so",
      on: "topic://x",
      isStatic: false,
      forceDurable: ["topic://x"],
      durable: true,
    },
    { rule: "a static include's is, likewise", on: "topic://x", isStatic: true, forceDurable: ["topic://x"], durable: true },
    { rule: "no other topic's is", on: "topic://y", isStatic: true, forceDurable: ["topic://x"], durable: false },
    { rule: "none is without the option", on: "topic://x", isStatic: true, forceDurable: [], durable: false },
  ])("forceDurable: what counts as durable: $rule", ({ on, isStatic, forceDurable, durable }) => {
    const groups = isStatic ? [] : [aGroup("", { origin: "b" })];
    const demanded = linkDemandOf(brokerId("a"), destinationOf(on), [
      source({ connector: aLinkFrom("a", "b", { forceDurable }), groups, isStatic }),
    ]);
    expect([...demanded.values()].flat().map((group) => group.durable !== undefined)).toEqual([durable]);
  });
});
