import { describe, expect, test } from "vitest";
import { destinationOf } from "../../../core/destination/destination.ts";
import { bodyOf, type Cell } from "../cells.ts";
import type { Window } from "../windows.ts";
import { orderedWindows } from "./ordered-windows.ts";

const minute = 60_000;

/** Windows that are open for one message, of which a target accepted a hand-over at these minutes. */
const openFor = (cell: Cell, window: Window | undefined, minutes: readonly number[], deduplicationIds: readonly string[] = []) => {
  const opened: Window[] = [];
  let now = 0;
  const body = bodyOf(cell, 0);
  const windows = orderedWindows({ opened: (which) => void opened.push(which) }, () => now);
  const target = { to: "queue", destination: destinationOf("queue://orders.fifo") } as const;
  for (const [index, at] of minutes.entries()) {
    now = at * minute;
    windows.accepted({ target, order: { group: "g", deduplicationId: deduplicationIds[index] ?? "d" }, wire: { body, attributes: {} } });
    if (window && index === 0) windows.opened(window, [body]);
  }
  return opened;
};

describe("what comes again without an audit", () => {
  test.for<{ rule: string; cell: Cell; waysChange: boolean; open: Window[] }>([
    { rule: "may go another way where ways change", cell: "fifo-queue.unaudited", waysChange: true, open: ["not-audited", "not-audited"] },
    { rule: "has the same way else", cell: "fifo-queue.unaudited", waysChange: false, open: [] },
    { rule: "is none of an audit's", cell: "fifo-queue.audited", waysChange: true, open: [] },
  ])("$rule", ({ cell, waysChange, open }) => {
    const opened: Window[] = [];
    const ledger = { opened: (window: Window, bodies: readonly string[]) => void opened.push(...bodies.map(() => window)) };
    const windows = orderedWindows(ledger, () => 0, waysChange);
    windows.comesAgain([bodyOf(cell, 0)]);
    windows.opened("pass-undeleted", [bodyOf(cell, 0)]);
    expect(opened).toEqual(open);
  });
});

describe("a window onto a FIFO target", () => {
  test.for<{ rule: string; window?: Window; minutes: number[]; ids?: string[]; cell?: Cell; open: Window[] }>([
    { rule: "is closed as long as nothing is repeated", window: "accepted-unsettled", minutes: [0], open: [] },
    { rule: "is closed for what is repeated within five minutes", window: "accepted-unsettled", minutes: [0, 4], open: [] },
    { rule: "is open for what is repeated after that", window: "accepted-unsettled", minutes: [0, 5], open: ["accepted-unsettled"] },
    { rule: "counts the five minutes from what was taken", window: "settle-failed", minutes: [0, 4, 6], open: ["settle-failed"] },
    { rule: "lets one through", window: "accepted-unsettled", minutes: [0, 5, 11], open: ["accepted-unsettled"] },
    { rule: "is none if no fault opened one", minutes: [0, 5], open: [] },
    { rule: "is none for another deduplication id", window: "accepted-unsettled", minutes: [0, 5], ids: ["d", "e"], open: [] },
    { rule: "is none of a drain pass's", window: "pass-undeleted", minutes: [0, 5], open: [] },
    { rule: "isn't needed without an audit", cell: "fifo-queue.unaudited", minutes: [0, 5], open: ["not-audited"] },
  ])("$rule", ({ cell = "fifo-queue.audited", window, minutes, ids, open }) => {
    expect(openFor(cell, window, minutes, ids)).toEqual(open);
  });
});
