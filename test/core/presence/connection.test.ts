import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { connectionId } from "../../../core/ids.ts";
import { isLive, isSubscribed, judgeConnection, orphansOf, phaseOf } from "../../../core/presence/connection.ts";
import type { ConnectionRecord, ConnectionState } from "../../../core/presence/presence.ts";

const minute = 60_000;
const orders = { id: "c1", destination: "queue://orders", priority: 0 };
const prices = { id: "c2", destination: "topic://prices", priority: 0 };
const own = { queue: "conn.c2.topic", private: false };

const aState = (fields: Partial<ConnectionState> = {}): ConnectionState => ({
  connection: connectionId("conn"),
  counter: 1,
  consumers: [orders],
  closed: false,
  ...fields,
});

const accepted = (stored: ConnectionRecord | undefined, state: ConnectionState, at = 0) => {
  const verdict = judgeConnection(stored, state, at, at);
  if (verdict.verdict !== "accept") throw new Error(`ignored: ${verdict.why}`);
  return verdict;
};
/** Accepted, and judged since. */
const stored = (fields: Partial<ConnectionState> = {}, at = 0): ConnectionRecord => ({
  ...accepted(undefined, aState(fields), at).record,
  unjudged: [],
});

describe("judgeConnection: which events count", () => {
  test.for([
    { rule: "a lower counter is older", before: stored({ counter: 5 }), state: aState({ counter: 4 }), expected: "older" },
    {
      rule: "an older close can't overtake either",
      before: stored({ counter: 5 }),
      state: aState({ counter: 4, closed: true }),
      expected: "older",
    },
    { rule: "a closed connection never comes back", before: stored({ closed: true }), state: aState({ counter: 9 }), expected: "closed" },
    { rule: "an equal counter is the same event once more", before: stored(), state: aState(), expected: "accept" },
    { rule: "a repeated close repeats", before: stored({ closed: true }), state: aState({ closed: true }), expected: "accept" },
    { rule: "a connection nobody knew may close", before: undefined, state: aState({ closed: true }), expected: "accept" },
  ])("$rule", ({ before, state, expected }) => {
    const verdict = judgeConnection(before, state, 0, 0);
    expect(verdict.verdict === "ignore" ? verdict.why : verdict.verdict).toBe(expected);
  });
});

describe("judgeConnection: what is judged anew", () => {
  test.for([
    { rule: "a first event", before: undefined, state: aState(), changed: true, touched: ["queue://orders"] },
    {
      rule: "a renewal judges what an earlier event still owes",
      before: { ...stored(), unjudged: ["queue://gone"] },
      state: aState({ counter: 2 }),
      changed: true,
      touched: ["queue://orders"],
    },
    { rule: "a renewal changes nothing", before: stored(), state: aState({ counter: 2 }), changed: false, touched: ["queue://orders"] },
    {
      rule: "a consumer more",
      before: stored(),
      state: aState({ counter: 2, consumers: [orders, prices] }),
      changed: true,
      touched: ["queue://orders", "topic://prices"],
    },
    {
      rule: "a consumer less",
      before: stored({ consumers: [orders, prices] }),
      state: aState({ counter: 2 }),
      changed: true,
      touched: ["queue://orders", "topic://prices"],
    },
    {
      rule: "another priority",
      before: stored(),
      state: aState({ counter: 2, consumers: [{ ...orders, priority: 5 }] }),
      changed: true,
      touched: ["queue://orders"],
    },
    {
      rule: "another prefetch: the queue is its own now",
      before: stored(),
      state: aState({ counter: 2, consumers: [{ ...orders, prefetchSize: 1 }] }),
      changed: true,
      touched: ["queue://orders"],
    },
    {
      rule: "a renewal after the lease had run out",
      before: { ...stored(), phase: "ended" as const },
      state: aState({ counter: 2 }),
      changed: true,
      touched: ["queue://orders"],
    },
    {
      rule: "a renewal after the lease had run out, before a tick noted that",
      before: stored({}, -4 * minute),
      state: aState({ counter: 2 }),
      changed: true,
      touched: ["queue://orders"],
    },
    { rule: "a repeated event", before: stored(), state: aState(), changed: true, touched: ["queue://orders"] },
    {
      rule: "a close",
      before: stored(),
      state: aState({ counter: 2, closed: true, consumers: [] }),
      changed: true,
      touched: ["queue://orders"],
    },
  ])("$rule", ({ before, state, changed, touched }) => {
    const verdict = accepted(before, state);
    expect([verdict.changed, verdict.record.touched.toSorted()]).toEqual([changed, touched]);
  });

  test("a repeated event names again what the first one took away, which the stored state can't tell any more", () => {
    const after = accepted(stored({ consumers: [orders, prices] }), aState({ counter: 2 })).record;
    expect(accepted(after, aState({ counter: 2 })).record.touched).toContain("topic://prices");
  });

  test("what is gone is told apart from what stays", () => {
    const { gone } = accepted(stored({ consumers: [orders, prices] }), aState({ counter: 2 }));
    expect(gone.map(({ holder, destination }) => [holder, destination])).toEqual([["conn/c2", "topic://prices"]]);
  });

  test("own queues are remembered after their consumer is gone, until they are removed", () => {
    const after = accepted(stored({ consumers: [orders, prices] }), aState({ counter: 2 })).record;
    expect(after.ownQueues).toEqual([own]);
  });

  test("one that is being removed stays so while its connection closes", () => {
    const ending = { ...own, ending: true as const };
    const before = { ...stored({ consumers: [orders, prices] }), ownQueues: [ending] };
    expect(accepted(before, aState({ counter: 2, closed: true, consumers: [orders, prices] })).record.ownQueues).toEqual([ending]);
  });

  test("the lease runs from the event's SentTimestamp, not from its arrival", () => {
    const verdict = judgeConnection(undefined, aState(), 1_000, 50_000);
    expect(verdict).toMatchObject({ record: { leaseUntil: 1_000 + 3 * minute } });
  });

  test("a lease isn't shortened by an event that was sent before what renewed it", () => {
    expect(accepted(stored({}, 10 * minute), aState({ counter: 2 }), 0).record.leaseUntil).toBe(13 * minute);
  });

  test("whatever order events come in, the highest counter's state is what stays", () => {
    const events = fc.uniqueArray(fc.record({ counter: fc.nat(20), size: fc.nat(4) }), {
      selector: ({ counter }) => counter,
      minLength: 1,
    });
    fc.assert(
      fc.property(events, (history) => {
        let record: ConnectionRecord | undefined;
        for (const { counter, size } of history) {
          const consumers = Array.from({ length: size }, (_, index) => ({ ...orders, id: `c${index}` }));
          const verdict = judgeConnection(record, aState({ counter, consumers }), 0, 0);
          if (verdict.verdict === "accept") record = verdict.record;
        }
        const last = history.toSorted((a, b) => b.counter - a.counter)[0];
        expect([record?.counter, record?.consumers.length]).toEqual([last?.counter, last?.size]);
      }),
    );
  });
});

describe("orphansOf: own queues that nobody reads any more", () => {
  const readsPrices = stored({ consumers: [orders, prices] });
  test.for([
    { rule: "none while their consumers are there", record: readsPrices, now: 0, orphans: [] },
    { rule: "the one of a consumer that was closed", record: accepted(readsPrices, aState({ counter: 2 })).record, now: 0, orphans: [own] },
    { rule: "none while a lease that ran out may still be renewed", record: readsPrices, now: 12 * minute, orphans: [] },
    { rule: "all ten minutes after the lease", record: readsPrices, now: 13 * minute, orphans: [own] },
    {
      rule: "all of a closed connection",
      record: accepted(readsPrices, aState({ counter: 2, closed: true })).record,
      now: 0,
      orphans: [own],
    },
  ])("$rule", ({ record, now, orphans }) => {
    expect(orphansOf(record, now)).toEqual(orphans);
  });
});

describe("phaseOf a connection whose lease ended at 0", () => {
  test.for([
    { rule: "lives until then", now: -1, closed: false, phase: "live" },
    { rule: "counts for nothing from then on", now: 0, closed: false, phase: "ended" },
    { rule: "keeps its subscriptions for two minutes", now: 2 * minute - 1, closed: false, phase: "ended" },
    { rule: "is unsubscribed after two minutes", now: 2 * minute, closed: false, phase: "unsubscribed" },
    { rule: "keeps its queues for ten minutes", now: 10 * minute - 1, closed: false, phase: "unsubscribed" },
    { rule: "loses its queues after ten minutes", now: 10 * minute, closed: false, phase: "removed" },
    { rule: "is forgotten after a day", now: 1_440 * minute, closed: false, phase: "forgotten" },
    { rule: "skips the waiting if it was closed", now: 0, closed: true, phase: "removed" },
    {
      rule: "stays a day if it was closed, so that a late event can't bring it back",
      now: 1_440 * minute - 1,
      closed: true,
      phase: "removed",
    },
  ])("$rule", ({ now, closed, phase }) => {
    expect(phaseOf({ closed, leaseUntil: 0 }, now)).toBe(phase);
  });
});

describe("a consumer whose lease ends at 0", () => {
  const presence = { holder: "conn/c1", destination: "topic://prices", priority: 0, count: 1, leaseUntil: 0 };

  test.for([
    { rule: "counts before", now: -1, live: true, subscribed: true },
    { rule: "counts no more, yet its subscription stands", now: 0, live: false, subscribed: true },
    { rule: "is unsubscribed two minutes later", now: 2 * minute, live: false, subscribed: false },
  ])("$rule", ({ now, live, subscribed }) => {
    expect([isLive(presence, now), isSubscribed(presence, now)]).toEqual([live, subscribed]);
  });

  test("a declared one is there for ever", () => {
    const { leaseUntil: _, ...declared } = presence;
    expect([isLive(declared, Number.MAX_SAFE_INTEGER), isSubscribed(declared, Number.MAX_SAFE_INTEGER)]).toEqual([true, true]);
  });

  test("so is a durable subscription, whose lease is only its subscriber's", () => {
    const durable = { ...presence, durable: { clientID: "me", subscriptionName: "audit" } };
    expect([isLive(durable, 10 * minute), isSubscribed(durable, 10 * minute)]).toEqual([true, true]);
  });
});
