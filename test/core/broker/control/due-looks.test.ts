import { describe, expect, test } from "vitest";
import { dueLooks } from "../../../../core/broker/control/due-looks.ts";
import { newPassRecord } from "../../../../core/broker/reading.ts";
import type { PassRecord } from "../../../../core/broker/records.ts";
import { brokerId, linkId } from "../../../../core/ids.ts";
import type { Candidate } from "../../../../core/routing/view.ts";
import { aView, localConsumers } from "../../../support/dispatching.ts";

const minute = 60_000;
const hour = 60 * minute;
const link = linkId(brokerId("a"), "to-b");
const toB: Candidate = { to: "link", id: "link:a:to-b@0", priority: 0, weight: 1, link };
const self = { self: brokerId("a") };
const none = { views: [], links: [], privateQueues: [] };
const seen = (at: number, isEmpty: boolean, since: number, fields: Partial<PassRecord> = {}): PassRecord => ({
  ...newPassRecord,
  ...fields,
  reading: { at, isEmpty, since },
});

describe("a queue is looked at", () => {
  interface Row {
    readonly rule: string;
    readonly by: readonly Candidate[];
    readonly record: PassRecord;
    readonly changedAt?: number;
    /** When a tick looks first. */
    readonly at: number;
  }
  test.for<Row>([
    { rule: "at each tick while somebody elsewhere would take what is in it", by: [toB], record: seen(0, false, -hour), at: 0 },
    { rule: "at each tick for the first minute that it is empty", by: [toB], record: seen(0, true, 1 - minute), at: 0 },
    { rule: "less often from then on", by: [toB], record: seen(0, true, -minute), at: minute },
    { rule: "after as long again as it has been empty", by: [toB], record: seen(0, true, -4 * minute), at: 4 * minute },
    { rule: "after ten minutes, however long it has been empty", by: [toB], record: seen(0, true, -hour), at: 10 * minute },
    {
      rule: "at each tick when its view has changed: dispatch may have rested by the old one",
      by: [toB],
      record: seen(0, true, -hour),
      changedAt: -1,
      at: 0,
    },
    { rule: "each hour for its age, if only its own consumers take from it", by: [localConsumers], record: seen(0, false, 0), at: hour },
    { rule: "each hour for its age, if nobody does", by: [], record: seen(0, true, -hour), at: hour },
    { rule: "at each tick while a pass of it was cut short", by: [], record: seen(0, false, 0, { unfinished: true }), at: 0 },
    { rule: "when the time of what it holds has come", by: [toB], record: seen(0, true, -hour, { dueAt: 90_000 }), at: 90_000 },
  ])("$rule", ({ by, record, changedAt = -hour, at }) => {
    const passes = [{ id: "queue://x", value: record, revision: 1 }];
    const looks = (now: number) => dueLooks(self, { ...none, views: [aView("queue://x", by, { changedAt })] }, passes, now);
    expect([looks(at - 1).length, looks(at).length]).toEqual([0, 1]);
  });

  test("at once where it never was", () => {
    expect(dueLooks(self, { ...none, views: [aView("queue://x", [])] }, [], 0)).toHaveLength(1);
  });

  test.for([
    { rule: "a link's shelter, too", places: { links: [{ link }] }, place: { to: "undelivered", link }, key: `undelivered|${link}` },
    {
      rule: "that of its ordered way as well",
      places: { links: [{ link, fifo: true } as const] },
      place: { to: "undelivered", link, fifo: true },
      key: `undelivered|${link}|fifo`,
    },
    {
      rule: "and a consumer's private queue",
      places: { privateQueues: ["c.1"] },
      place: { to: "private", queue: "c.1" },
      key: "private|c.1",
    },
  ])("each hour for its age: $rule", ({ places, place, key }) => {
    const passes = [key, `undelivered|${link}`].map((id) => ({ id, value: seen(0, false, 0), revision: 1 }));
    expect(dueLooks(self, { ...none, ...places }, passes, hour - 1)).toEqual([]);
    expect(dueLooks(self, { ...none, ...places }, passes, hour).map(({ event }) => event)).toContainEqual({ event: "look", place });
  });
});

describe("of many queues", () => {
  const views = Array.from({ length: 3_100 }, (_, n) => aView(`queue://q${n}`, [toB]));
  const passes = views.map((_view, n) => ({ id: `queue://q${n}`, value: seen(-hour - n, false, 0), revision: 1 }));
  const looks = dueLooks(self, { ...none, views }, passes, 0);

  test("those are looked at first whose reading is oldest; what is too much for a minute waits for the next", () => {
    const names = looks.map(({ event }) => (event.event === "look" && event.place.to === "queue" ? event.place.destination.name : ""));
    expect([names.length, names[0], names.at(-1)]).toEqual([3_000, "q3099", "q100"]);
  });

  test("at most fifty a second", () => {
    const bySecond = Map.groupBy(looks, ({ delaySeconds = 0 }) => delaySeconds);
    expect([bySecond.size, Math.max(...[...bySecond.values()].map(({ length }) => length))]).toEqual([60, 50]);
  });
});
