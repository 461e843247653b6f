import { describe, expect, test } from "vitest";
import { destinationOf } from "../../../core/destination/destination.ts";
import type { BrokerId, LinkId } from "../../../core/ids.ts";
import type { HandOver } from "../../../core/ports.ts";
import type { Target } from "../../../core/routing/plan.ts";
import { bodyOf, type Cell } from "../cells.ts";
import type { Window } from "../windows.ts";
import { type Carrier, type OrderedWindows, orderedWindows } from "./ordered-windows.ts";

const minute = 60_000;
const orders: Target = { to: "queue", destination: destinationOf("queue://orders.fifo") };
const own: Target = { to: "private", queue: "conn1.c1.fifo" };
const [there, elsewhere] = ["a:to-b" as LinkId, "a:to-c" as LinkId];
const broker: Carrier = { at: "a" as BrokerId };

interface Step {
  readonly at?: number;
  readonly target?: Target;
  readonly id?: string;
  readonly by?: Carrier;
  readonly path?: string;
}

/** Windows that are open for one message, after hand-overs of it were accepted; `fault` strikes after the first. */
const openAfter = (cell: Cell, steps: readonly Step[], fault: (windows: OrderedWindows, body: string) => void = () => {}) => {
  const opened: Window[] = [];
  let now = 0;
  const body = bodyOf(cell, 0);
  const windows = orderedWindows({ opened: (which) => void opened.push(which) }, () => now);
  for (const [index, { at = 0, target = orders, id = "d", by = broker, path = "b" }] of steps.entries()) {
    now = at * minute;
    const wire = { body, attributes: { SpanMQ: { type: "String", value: JSON.stringify({ id: "m", path: [path] }) } } } as const;
    const one: HandOver = { target, order: { group: "g", deduplicationId: id }, wire, group: "queue://orders.fifo" };
    windows.handed(one, "accepted", by);
    if (index === 0) fault(windows, body);
  }
  return opened;
};

describe("a window onto a FIFO target", () => {
  test.for<{ rule: string; window?: Window; steps: Step[]; open: Window[] }>([
    { rule: "is closed as long as nothing is repeated", window: "accepted-unsettled", steps: [{}], open: [] },
    { rule: "is closed for what is repeated within five minutes", window: "accepted-unsettled", steps: [{}, { at: 4 }], open: [] },
    { rule: "is open for what is repeated after that", window: "accepted-unsettled", steps: [{}, { at: 5 }], open: ["accepted-unsettled"] },
    {
      rule: "counts the five minutes from what was taken",
      window: "settle-failed",
      steps: [{}, { at: 4 }, { at: 6 }],
      open: ["settle-failed"],
    },
    { rule: "lets one through", window: "accepted-unsettled", steps: [{}, { at: 5 }, { at: 11 }], open: ["accepted-unsettled"] },
    { rule: "is none if no fault opened one", steps: [{}, { at: 5 }], open: [] },
    { rule: "is none for another deduplication id", window: "accepted-unsettled", steps: [{}, { at: 5, id: "e" }], open: [] },
    { rule: "is none of a drain pass's", window: "pass-undeleted", steps: [{}, { at: 5 }], open: [] },
    {
      rule: "is none onto another target: an audit remembers the way",
      window: "accepted-unsettled",
      steps: [{}, { target: own }],
      open: [],
    },
  ])("$rule", ({ window, steps, open }) => {
    expect(openAfter("fifo-queue.audited", steps, (windows, body) => window && windows.opened(window, [body]))).toEqual(open);
  });
});

describe("without an audit, what a fault brings again", () => {
  const comesAgain = (windows: OrderedWindows, body: string): void => windows.comesAgain([body]);
  const toLink = (link: LinkId): Target => ({ to: "link", link, fifo: true });
  const parked = { ...broker, place: { to: "undelivered", link: there, fifo: true } } as const;
  test.for<{ rule: string; steps: Step[]; open: Window[]; fault?: typeof comesAgain }>([
    { rule: "is dropped by a target that knows it", steps: [{}, { at: 4 }], open: [] },
    { rule: "passes a target that has forgotten it", steps: [{}, { at: 5 }], open: ["not-audited"] },
    { rule: "may go another way", steps: [{}, { target: own }], open: ["not-audited"] },
    { rule: "goes another way once", steps: [{}, { target: own }, { target: toLink(there) }], open: ["not-audited"] },
    { rule: "goes on from there by others", steps: [{}, { target: own, by: { at: "b" as BrokerId } }], open: [] },
    { rule: "goes one way to a link and its shelter", steps: [{ target: toLink(there) }, { target: parked.place }], open: [] },
    { rule: "goes one way out of its shelter", steps: [{ target: parked.place }, { target: toLink(there), by: parked }], open: [] },
    {
      rule: "goes another one from there to another link",
      steps: [{ target: parked.place }, { target: toLink(elsewhere), by: parked }],
      open: ["not-audited"],
    },
    { rule: "has no window without a fault", steps: [{}, { at: 6 }, { at: 12, target: own }], open: [], fault: () => {} },
    { rule: "has one if it is late by another way", steps: [{}, { at: 6, path: "c" }], open: ["not-audited"], fault: () => {} },
    {
      rule: "has one though another broker's target took it meanwhile",
      steps: [{}, { at: 2, path: "c", by: { at: "b" as BrokerId } }, { at: 6, path: "c" }, { at: 8, by: { at: "b" as BrokerId } }],
      open: ["not-audited", "not-audited"],
      fault: () => {},
    },
    { rule: "has none if it is in time by another way", steps: [{}, { at: 4, path: "c" }], open: [], fault: () => {} },
    {
      rule: "is no matter of windows that an audit would close",
      steps: [{}, { target: own }],
      open: [],
      fault: (windows, body) => windows.opened("pass-undeleted", [body]),
    },
  ])("$rule", ({ steps, open, fault = comesAgain }) => {
    expect(openAfter("fifo-queue.unaudited", steps, fault)).toEqual(open);
  });
  test("has no window of its own where there is an audit", () => {
    expect(openAfter("fifo-queue.audited", [{}, { target: own }], comesAgain)).toEqual([]);
  });
});

test("what comes again without an audit, or came round, has a window at once onto targets that know no repetitions", () => {
  const opened: string[] = [];
  const windows = orderedWindows(
    { opened: (window, bodies, reader = "anybody") => void opened.push(`${window} ${bodies} ${reader}`) },
    () => 0,
  );
  const body = "topic.unaudited/0";
  windows.comesAgain(["queue.unaudited/0", "queue.audited/0"]);
  windows.opened("accepted-unsettled", ["queue.unaudited/0"]); // which is one of what comes again
  for (const path of ["b", "b", "c"]) {
    const wire = { body, attributes: { SpanMQ: { type: "String", value: JSON.stringify({ id: "m", path: [path] }) } } } as const;
    windows.handed({ target: { to: "topic", destination: destinationOf("topic://t") }, wire }, "accepted", broker);
  }
  expect(opened).toEqual(["not-audited queue.unaudited/0 anybody", `not-audited ${body} a`]);
});
