import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { foldDemand, linkShares, subscriptionPriority } from "../../../core/demand/fold.ts";
import { aGroup, aLinkFrom } from "../../support/a-connector.ts";

const conduit = aLinkFrom("a", "b");
const plain = aLinkFrom("a", "b", { conduitSubscriptions: false });
const wide = aLinkFrom("a", "b", { conduitNetworkQueueSubscriptions: true });
const five = aGroup("b", { count: 5 });
const further = aGroup("cb", { count: 2 });

describe("a link stands for", () => {
  test.for([
    { rule: "CND-6: one consumer, however many the peer has", connector: conduit, groups: [five], kind: "queue", shares: [[0, 1]] },
    { rule: "CND-6: each consumer without conduit", connector: plain, groups: [five], kind: "queue", shares: [[0, 5]] },
    {
      rule: "CND-2: second-order queue consumers each for themselves",
      connector: conduit,
      groups: [five, further],
      kind: "queue",
      shares: [[0, 3]],
    },
    { rule: "CND-1: one with conduitNetworkQueueSubscriptions", connector: wide, groups: [five, further], kind: "queue", shares: [[0, 1]] },
    { rule: "CND-1: one of a topic, near and far together", connector: conduit, groups: [five, further], kind: "topic", shares: [[0, 1]] },
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

describe("subscriptionPriority", () => {
  test.for([
    { rule: "QUE-7: not decreasing, it is the consumer's own", decrease: false, hops: 3, expected: 2 },
    { rule: "QUE-6: decreasing, a direct one has the base", decrease: true, hops: 1, expected: -5 },
    { rule: "QUE-6: two hops cost three", decrease: true, hops: 2, expected: -8 },
    { rule: "QUE-6: each further hop costs one", decrease: true, hops: 3, expected: -9 },
  ])("$rule", ({ decrease, hops, expected }) => {
    expect(subscriptionPriority(aLinkFrom("a", "b", { decreaseNetworkConsumerPriority: decrease }), 2, hops)).toBe(expected);
  });
});
