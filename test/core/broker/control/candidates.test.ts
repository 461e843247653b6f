import { describe, expect, test } from "vitest";
import { localCandidates } from "../../../../core/broker/control/candidates.ts";
import type { PresenceRecord } from "../../../../core/presence/presence.ts";

const aConsumer = (fields: Partial<PresenceRecord> = {}): PresenceRecord => ({
  holder: "conn/c1",
  destination: "queue://orders",
  priority: 0,
  count: 1,
  ...fields,
});

describe("candidates here for a queue's messages are", () => {
  test.for<{ rule: string; consumers: readonly PresenceRecord[]; are: readonly object[] }>([
    { rule: "none without consumers", consumers: [], are: [] },
    {
      rule: "those of the shared queue together, with a thousand places each",
      consumers: [aConsumer(), aConsumer({ count: 2 })],
      are: [{ to: "consumers", id: "consumers@0", priority: 0, weight: 3, capacity: 3_000 }],
    },
    {
      rule: "each priority by itself",
      consumers: [aConsumer(), aConsumer({ priority: 5 })],
      are: [
        { to: "consumers", id: "consumers@0", priority: 0, weight: 1, capacity: 1_000 },
        { to: "consumers", id: "consumers@5", priority: 5, weight: 1, capacity: 1_000 },
      ],
    },
    {
      rule: "each of whom has a queue of his own, with as many places as his prefetch",
      consumers: [aConsumer({ ownQueue: "conn.c1", prefetchSize: 7 })],
      are: [{ to: "private", id: "private:conn/c1", priority: 0, weight: 1, capacity: 7, queue: "conn.c1" }],
    },
    {
      rule: "there for what their selectors take",
      consumers: [aConsumer({ ownQueue: "conn.c1", selector: "a = 1" })],
      are: [{ to: "private", id: "private:conn/c1", priority: 0, weight: 1, capacity: 1_000, queue: "conn.c1", selectors: ["a = 1"] }],
    },
    {
      rule: "at the shared queue for everything, whatever selector is declared",
      consumers: [aConsumer({ selector: "a = 1" })],
      are: [{ to: "consumers", id: "consumers@0", priority: 0, weight: 1, capacity: 1_000 }],
    },
  ])("$rule", ({ consumers, are }) => {
    expect(localCandidates(consumers)).toEqual(are);
  });
});
