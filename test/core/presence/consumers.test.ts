import { describe, expect, test } from "vitest";
import { connectionId } from "../../../core/ids.ts";
import { declaredPresence, discoveredPresence, presenceOf } from "../../../core/presence/consumers.ts";
import type { ConsumerSpec } from "../../../core/presence/presence.ts";

const present = (destination: string, options: Pick<ConsumerSpec, "prefetchSize" | "selector"> = {}) =>
  presenceOf({ connection: connectionId("conn"), consumers: [{ id: "c1", destination, priority: 3, ...options }] }, 9);

describe("presenceOf a consumer", () => {
  test.for([
    { rule: "of a queue shares it", destination: "queue://a", expected: [["queue://a", undefined]] },
    { rule: "of a queue by its bare name shares it", destination: "a", expected: [["queue://a", undefined]] },
    {
      rule: "of a queue with a prefetch has its own queue",
      destination: "queue://a",
      prefetchSize: 1,
      expected: [["queue://a", "conn.c1"]],
    },
    { rule: "of a queue with a selector, too", destination: "queue://a", selector: "kind = 'x'", expected: [["queue://a", "conn.c1"]] },
    { rule: "of a topic has its own queue", destination: "topic://t", expected: [["topic://t", "conn.c1.topic"]] },
    { rule: "of a pattern of queues has one queue for all of them", destination: "queue://a.>", expected: [["queue://a.>", "conn.c1"]] },
    {
      rule: "of a composite is one on each part",
      destination: "queue://a,b",
      expected: [
        ["queue://a", undefined],
        ["queue://b", undefined],
      ],
    },
    {
      rule: "of a composite of kinds is one of each kind",
      destination: "queue://a,topic://t",
      expected: [
        ["queue://a", undefined],
        ["topic://t", "conn.c1.topic"],
      ],
    },
    { rule: "of a FIFO topic has its own FIFO queue", destination: "topic://t.fifo", expected: [["topic://t.fifo", "conn.c1.topic.fifo"]] },
    {
      rule: "of a FIFO queue with a prefetch, too",
      destination: "queue://a.fifo",
      prefetchSize: 1,
      expected: [["queue://a.fifo", "conn.c1.fifo"]],
    },
    {
      rule: "of a pattern has a standard queue, whatever it ends in",
      destination: "queue://a.*.fifo",
      expected: [["queue://a.*.fifo", "conn.c1"]],
    },
    { rule: "of a composite that names a part twice is there once", destination: "queue://a,a", expected: [["queue://a", undefined]] },
  ])("$rule", ({ destination, expected, ...options }) => {
    expect(present(destination, options).map((presence) => [presence.destination, presence.ownQueue])).toEqual(expected);
  });

  test("carries its holder, priority and lease, and counts one", () => {
    expect(present("queue://a")).toEqual([{ holder: "conn/c1", destination: "queue://a", priority: 3, count: 1, leaseUntil: 9 }]);
  });
});

test("a consumer's own prefetch is what its queue may hold in advance", () => {
  expect(present("queue://a", { prefetchSize: 5 })).toMatchObject([{ prefetchSize: 5 }]);
});

test("each part of a composite is wanted by the consumer's selector", () => {
  expect(present("queue://a,topic://t", { selector: "n > 1" })).toMatchObject([{ selector: "n > 1" }, { selector: "n > 1" }]);
});

test("declared consumers count as many as they say, for ever, on the shared queue", () => {
  expect(declaredPresence([{ destination: "queue://a", count: 4, priority: 1 }])).toEqual([
    { holder: "declared/0", destination: "queue://a", priority: 1, count: 4 },
  ]);
});

test.for([
  { rule: "what is found on a topic is present", found: 2, declared: [], counts: [2] },
  { rule: "nothing found is nobody", found: 0, declared: [], counts: [] },
  { rule: "who is declared has subscribed, and counts once", found: 3, declared: [2], counts: [1] },
  { rule: "who is declared and hasn't subscribed yet is nobody else", found: 1, declared: [1, 1], counts: [] },
])("discovered: $rule", ({ found, declared, counts }) => {
  const consumers = declared.map((count) => ({ destination: "topic://t", count, priority: 0 }));
  const presence = discoveredPresence("topic://t", found, declaredPresence(consumers));
  expect(presence).toEqual(counts.map((count) => ({ holder: "discovered", destination: "topic://t", priority: 0, count })));
});
