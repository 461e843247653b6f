import { describe, expect, test } from "vitest";
import { openRooms } from "../../../../core/broker/dispatch/rooms.ts";
import { brokerId, linkId } from "../../../../core/ids.ts";
import type { Loads } from "../../../../core/ports.ts";
import { levelsOf } from "../../../../core/routing/ranking.ts";
import type { Candidate, DestinationView } from "../../../../core/routing/view.ts";

const local = (priority: number, capacity: number): Candidate => ({
  to: "consumers",
  id: `consumers@${priority}`,
  priority,
  weight: 1,
  capacity,
});
const own = (id: string, capacity: number): Candidate => ({ to: "private", id, priority: 0, weight: 1, capacity, queue: id });
const abroad = (priority: number, selectors?: readonly string[]): Candidate => ({
  to: "link",
  id: `link@${priority}`,
  priority,
  weight: 1,
  link: linkId(brokerId("us"), "us-eu"),
  ...(selectors && { selectors }),
});
const viewOf = (...candidates: readonly Candidate[]): DestinationView => ({
  destination: { kind: "queue", name: "orders" },
  candidates,
  localSubscribers: false,
  readyAt: 0,
  changedAt: 0,
});

/** Says how many messages wait, and remembers what it was asked and told. */
const loadsOf = (waiting: number): Loads & { asked: number; added: number } => {
  const loads = { asked: 0, added: 0 };
  return Object.assign(loads, {
    read: async () => {
      loads.asked += 1;
      return waiting;
    },
    add: (_: unknown, messages: number) => {
      loads.added += messages;
    },
  });
};

/** The priorities that a batch of `n` messages goes to. */
const filled = async (
  view: DestinationView,
  loads: Loads,
  n: number,
  takes: (candidate: Candidate) => boolean = () => true,
): Promise<(number | undefined)[]> => {
  const roomIn = (await openRooms(loads, [view]))(view);
  return Array.from({ length: n }, () => levelsOf(view.candidates.filter(takes)).find(roomIn)?.[0]?.priority);
};

interface Row {
  readonly rule: string;
  readonly view: DestinationView;
  readonly waiting: number;
  readonly goes: readonly number[];
  /** For whom the messages are. */
  readonly takes?: (candidate: Candidate) => boolean;
}

describe("room in local consumers' queues", () => {
  test.for([
    { rule: "the higher priority gets all while it has room", view: viewOf(local(0, 10), abroad(-5)), waiting: 0, goes: [0, 0, 0] },
    { rule: "what it has no room for overflows to the lower one", view: viewOf(local(0, 10), abroad(-5)), waiting: 8, goes: [0, 0, -5] },
    { rule: "a full one gets nothing", view: viewOf(local(0, 10), abroad(-5)), waiting: 12, goes: [-5, -5, -5] },
    { rule: "a level with a link has room always", view: viewOf(local(0, 1), abroad(0), local(-1, 1)), waiting: 50, goes: [0, 0, 0] },
    { rule: "the lowest level has room always", view: viewOf(local(0, 1), local(-1, 1)), waiting: 50, goes: [-1, -1, -1] },
    {
      rule: "beside a link that doesn't take the message, a full one gets nothing",
      view: viewOf(local(0, 1), abroad(0, ["n > 1"]), local(-1, 1)),
      takes: (one) => one.to !== "link",
      waiting: 50,
      goes: [-1, -1],
    },
    {
      rule: "room is that of whom the message is for",
      view: viewOf(own("x", 9), own("y", 3), local(-1, 1)),
      takes: ({ id }) => id !== "x",
      waiting: 2,
      goes: [0, -1],
    },
  ] as readonly Row[])("$rule", async ({ view, waiting, goes, takes = () => true }) => {
    expect(await filled(view, loadsOf(waiting), goes.length, takes)).toEqual(goes);
  });

  test("in strict order each candidate has room of its own", async () => {
    const strict = { useConsumerPriority: true, strictOrderDispatch: true };
    const view = viewOf(local(0, 2), { ...local(0, 1), id: "another" }, { ...abroad(0), id: "link" });
    const roomIn = (await openRooms(loadsOf(0), [view], () => strict))(view);
    const goes = Array.from({ length: 5 }, () => levelsOf(view.candidates, strict).find(roomIn)?.[0]?.id);
    expect(goes).toEqual(["consumers@0", "consumers@0", "another", "link", "link"]);
  });

  test("where all have one priority no queue is asked for its depth", async () => {
    const loads = loadsOf(0);
    await filled(viewOf(local(0, 1), abroad(0)), loads, 5);
    expect(loads).toMatchObject({ asked: 0, added: 0 });
  });

  test("what a batch hands over counts for the next batch", async () => {
    const loads = loadsOf(0);
    await filled(viewOf(local(0, 10), abroad(-5)), loads, 3);
    expect(loads.added).toBe(3);
  });
});
