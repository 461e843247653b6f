import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { foldDemand, linkShares } from "../../../core/demand/fold.ts";
import { brokerId } from "../../../core/ids.ts";
import { aGroup, aLinkFrom } from "../../support/a-connector.ts";

const conduit = aLinkFrom("a", "b");
const plain = aLinkFrom("a", "b", { conduitSubscriptions: false });
const wide = aLinkFrom("a", "b", { conduitNetworkQueueSubscriptions: true });
const five = aGroup("b", { count: 5 });
const further = (count = 2, selector?: string) => aGroup("cb", { count, ...(selector && { selectors: [selector] }) });
const blind = aLinkFrom("a", "b", { conduitSelectors: "ignore" });
const x = (count = 1) => aGroup("b", { count, group: "x", selectors: ["x"] });
const y = (count = 1) => aGroup("b", { count, group: "y", selectors: ["y"] });
/** What b publishes of the consumers at c that its conduit stands for. */
const foldedAtPeer = foldDemand(
  aLinkFrom("b", "c"),
  ["x", "y", "z"].map((one) => aGroup("c", { group: one, selectors: [one] })),
  "queue",
).map((group) => ({ ...group, path: [...group.path, brokerId("b")] }));
const many = Array.from({ length: 65 }, (_, index) => aGroup("b", { group: `${index}`, selectors: [`n = ${index}`] }));

describe("a link stands for", () => {
  test.for([
    { rule: "CND-6: one consumer with conduit", connector: conduit, groups: [five], kind: "queue", shares: [[0, 1]] },
    { rule: "CND-6: each consumer without conduit", connector: plain, groups: [five], kind: "queue", shares: [[0, 5]] },
    {
      rule: "CND-2: second-order queue consumers each for themselves",
      connector: conduit,
      groups: [five, further()],
      kind: "queue",
      shares: [[0, 3]],
    },
    {
      rule: "CND-1: one with conduitNetworkQueueSubscriptions",
      connector: wide,
      groups: [five, further()],
      kind: "queue",
      shares: [[0, 1]],
    },
    {
      rule: "CND-1: one of a topic, near and far together",
      connector: conduit,
      groups: [five, further()],
      kind: "topic",
      shares: [[0, 1]],
    },
    {
      rule: "each consumer at its own priority without conduit",
      connector: plain,
      groups: [five, aGroup("b", { priority: 7, count: 2 })],
      kind: "queue",
      shares: [
        [7, 2],
        [0, 5],
      ],
    },
    {
      rule: "CND-7: one at the highest priority with conduit",
      connector: conduit,
      groups: [five, aGroup("b", { priority: 7, count: 2 })],
      kind: "queue",
      shares: [[7, 1]],
    },
    {
      rule: "one where all that counted was suppressed, at the highest priority left",
      connector: plain,
      groups: [aGroup("b", { count: 0 }), aGroup("cb", { count: 0, priority: 4 })],
      kind: "queue",
      shares: [[4, 1]],
    },
    { rule: "nobody without demand", connector: conduit, groups: [], kind: "queue", shares: [] },
  ] as const)("$rule", ({ connector, groups, kind, shares }) => {
    expect(linkShares(foldDemand(connector, groups, kind)).map(({ priority, weight }) => [priority, weight])).toEqual(shares);
  });

  test.for([
    {
      rule: "each selector's consumers without conduit",
      connector: plain,
      groups: [x(2), y()],
      shares: [
        [2, "x"],
        [1, "y"],
      ],
    },
    { rule: "one that takes what any selector does with conduit", connector: conduit, groups: [x(2), y()], shares: [[1, "x|y"]] },
    {
      rule: "one that takes everything where somebody wants everything",
      connector: conduit,
      groups: [x(), five],
      shares: [[1, undefined]],
    },
    {
      rule: "CND-5: one that takes everything where selectors are ignored",
      connector: blind,
      groups: [x(), y()],
      shares: [[1, undefined]],
    },
    {
      rule: "second-order consumers by their own selectors",
      connector: conduit,
      groups: [x(), further(2, "z")],
      shares: [
        [1, "x"],
        [2, "z"],
      ],
    },
    {
      rule: "CND-5: nor are those of second-order consumers seen",
      connector: blind,
      groups: [x(), further(2, "z")],
      shares: [[3, undefined]],
    },
    {
      rule: "whom a conduit at the peer folded once, by all their selectors",
      connector: plain,
      groups: foldedAtPeer,
      shares: [[1, "x|y|z"]],
    },
    {
      rule: "whom the peer's conduit spoke for, where that was suppressed",
      connector: plain,
      groups: foldedAtPeer.slice(1),
      shares: [[1, "y|z"]],
    },
    {
      rule: "beside others that count, by what these don't take",
      connector: plain,
      groups: [...foldedAtPeer.slice(1), x(2), y()],
      shares: [
        [2, "x"],
        [1, "y"],
        [1, "z"],
      ],
    },
    { rule: "one that takes everything where selectors are more than 64", connector: conduit, groups: many, shares: [[1, undefined]] },
    {
      rule: "one that takes what 64 selectors do",
      connector: conduit,
      groups: many.slice(1),
      shares: [
        [
          1,
          many
            .slice(1)
            .flatMap(({ selectors = [] }) => selectors)
            .toSorted()
            .join("|"),
        ],
      ],
    },
  ] as const)("$rule", ({ connector, groups, shares }) => {
    const seen = linkShares(foldDemand(connector, groups, "queue")).map(({ weight, selectors }) => [weight, selectors?.join("|")]);
    expect(seen.toSorted()).toEqual(shares.toSorted());
  });

  test("whoever counts for a conduit is the same in whatever order they came", () => {
    const group = fc.record({ path: fc.stringMatching(/^[c-f]{0,2}b$/), group: fc.constantFrom("x", "y") });
    fc.assert(
      fc.property(fc.uniqueArray(group, { selector: ({ path, group }) => `${path} ${group}` }), (all) => {
        const groups = all.map(({ path, group }) => aGroup(path, { group }));
        expect(foldDemand(conduit, groups, "topic")).toEqual(foldDemand(conduit, groups.toReversed(), "topic"));
      }),
    );
  });

  test("folding keeps every path, so that peers can judge each", () => {
    const group = fc.record({ path: fc.stringMatching(/^[c-f]{0,2}b$/), priority: fc.integer({ min: -1, max: 1 }), count: fc.nat(3) });
    fc.assert(
      fc.property(
        fc.array(group),
        fc.constantFrom(conduit, plain, wide),
        fc.constantFrom("queue" as const, "topic" as const),
        (all, connector, kind) => {
          const groups = all.map(({ path, ...fields }) => aGroup(path, fields));
          const paths = (list: typeof groups) => list.map(({ path }) => path.join("")).toSorted();
          expect(paths(foldDemand(connector, groups, kind))).toEqual(paths(groups));
        },
      ),
    );
  });
});
