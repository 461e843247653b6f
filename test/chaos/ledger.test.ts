import { describe, expect, test } from "vitest";
import { bodyOf, type Cell, cellsIn } from "./cells.ts";
import { ledger } from "./ledger.ts";
import { nobodyReached } from "./reached.ts";
import { brokenLaws } from "./verdict.ts";
import type { Window } from "./windows.ts";

interface History {
  readonly cell?: Cell;
  readonly came: number;
  readonly opened?: readonly Window[];
  readonly isLeft?: boolean;
}

/** Laws that one message breaks which was sent once. */
const broken = ({ cell = "queue.audited", came, opened = [], isLeft = false }: History): readonly string[] => {
  const [book, body] = [ledger(), bodyOf(cell, 0)];
  book.sent(body, ["somebody"]);
  for (const window of opened) book.opened(window, [body]);
  for (let n = 0; n < came; n += 1) book.received("somebody", body);
  const tallies = book.judge(isLeft ? [body] : []);
  return brokenLaws({ world: "network", seed: 1, tallies, census: new Map(), spent: [] }).map(({ law }) => law);
};
const [lost, doubled, onFifo, behindOnce, atMostOnce, stuck] = [
  "nothing is lost but in AT_MOST_ONCE",
  "nothing doubles but through a documented window",
  "nothing doubles on a FIFO target within five minutes",
  "nothing at all doubles behind once",
  "AT_MOST_ONCE never doubles",
  "no queue holds what a present consumer would take",
];

describe("a message breaks", () => {
  test.for<History & { readonly rule: string; readonly laws: readonly string[] }>([
    { rule: "no law if it came once", came: 1, laws: [] },
    { rule: "one if it never came", came: 0, laws: [lost] },
    { rule: "none if it never came in AT_MOST_ONCE", cell: "bridge-queue.AT_MOST_ONCE", came: 0, laws: [] },
    { rule: "one if it came twice", came: 2, laws: [doubled] },
    { rule: "none if it came twice and one window was opened for it", came: 2, opened: ["accepted-unsettled"], laws: [] },
    { rule: "one if it came three times and one window was opened for it", came: 3, opened: ["accepted-unsettled"], laws: [doubled] },
    {
      rule: "one if it came twice behind once, windows or not",
      cell: "once.audited",
      came: 2,
      opened: ["delivered-again"],
      laws: [behindOnce],
    },
    { rule: "one if it came twice for a bare reader", cell: "embedded-bare.audited", came: 2, laws: [doubled] },
    { rule: "none behind once where it was sent again", cell: "once.audited", came: 2, opened: ["producer-sent-again"], laws: [] },
    { rule: "one behind once where nothing was audited before", cell: "once.unaudited", came: 2, laws: [behindOnce] },
    {
      rule: "one if it came twice where nobody asked for an audit, and no fault tells why",
      cell: "queue.unaudited",
      came: 2,
      laws: [doubled],
    },
    { rule: "none if a fault tells why it came twice there", cell: "queue.unaudited", came: 2, opened: ["not-audited"], laws: [] },
    {
      rule: "one if it came more often there than faults tell",
      cell: "queue.unaudited",
      came: 3,
      opened: ["not-audited"],
      laws: [doubled],
    },
    { rule: "one if it came twice so on a FIFO target, and no fault tells why", cell: "fifo-queue.unaudited", came: 2, laws: [onFifo] },
    { rule: "none if a fault does", cell: "fifo-queue.unaudited", came: 2, opened: ["not-audited"], laws: [] },
    {
      rule: "one if it came twice in AT_MOST_ONCE, windows or not",
      cell: "bridge-topic.AT_MOST_ONCE",
      came: 2,
      opened: ["bridge-unsettled"],
      laws: [atMostOnce],
    },
    { rule: "one if a copy is left", came: 1, isLeft: true, laws: [stuck] },
  ])("$rule", ({ laws, ...history }) => {
    expect(broken(history)).toEqual(laws);
  });
});

test("a window that is open for one reader excuses no other", () => {
  const [book, body] = [ledger(), bodyOf("composite.audited", 0)];
  book.sent(body, ["x", "y"]);
  book.opened("accepted-unsettled", [body], "x");
  for (const reader of ["x", "x", "y", "y"]) book.received(reader, body);
  expect(book.judge([]).get("composite.audited")).toMatchObject({ doubled: [body], excused: { "accepted-unsettled": 1 } });
});

test.for<{ rule: string; window: Window; laws: readonly string[] }>([
  { rule: "nothing doubles behind a reader's own audit, whatever the bridge waives", window: "bridge-unsettled", laws: [doubled] },
  { rule: "what has a new id does", window: "moved-by-hand", laws: [] },
])("$rule", ({ window, laws }) => {
  const [book, body] = [ledger(), bodyOf("bridge-queue.DUPLICATES_OK", 0)];
  book.audits("ingress");
  book.sent(body, ["ingress"]);
  book.opened(window, [body]);
  for (const reader of ["ingress", "ingress"]) book.received(reader, body);
  const verdict = { world: "bridge", seed: 1, tallies: book.judge([]), census: new Map(), spent: [] } as const;
  expect(brokenLaws(verdict).map(({ law }) => law)).toEqual(laws);
});

test.for([
  { rule: "those of its readers whom it has reached", reached: ["x", "x"], by: ["x"] },
  { rule: "all of them if it may be any", reached: ["x", undefined], by: [undefined] },
  { rule: "nobody if it has reached none", reached: [], by: [] },
])("what is sent anew doubles for $rule", ({ reached, by }) => {
  const book = nobodyReached();
  for (const reader of reached) book.note(["m"], reader);
  expect(book.by("m")).toEqual(by);
});

test("a window that is open for a place excuses those who live there", () => {
  const [book, body] = [ledger(), bodyOf("topic.audited", 0)];
  book.sent(body, ["x", "y"]);
  book.lives("x", "a");
  book.lives("y", "b");
  book.opened("accepted-unsettled", [body], "a");
  for (const reader of ["x", "x", "y", "y"]) book.received(reader, body);
  expect(book.judge([]).get("topic.audited")).toMatchObject({ doubled: [body], excused: { "accepted-unsettled": 1 } });
});

describe("of a group's three messages", () => {
  const inOrder = "messages of a group stay in order";
  test.for([
    { rule: "the second may not overtake the first", came: ["0", "2", "1"], laws: [inOrder] },
    { rule: "those that are in order break no law", came: ["0", "1", "2"], laws: [] },
    { rule: "one that comes again comes late", came: ["0", "1", "2", "0"], opened: ["0"], laws: [] },
    { rule: "one that is lost keeps no order up", came: ["0", "2"], laws: [lost] },
    {
      rule: "one that comes twice doubles on a FIFO target",
      came: ["0", "1", "1", "2"],
      laws: ["nothing doubles on a FIFO target within five minutes"],
    },
    { rule: "those of another group may be overtaken", came: ["3", "0", "1", "2"], laws: [] },
    { rule: "one that stands in no order any more overtakes nobody", came: ["0", "2", "1"], unordered: ["2"], laws: [] },
    { rule: "two others are in order for all that", came: ["1", "2", "0"], unordered: ["2"], laws: [inOrder] },
  ])("$rule", ({ came, opened = [], unordered = [], laws }) => {
    const book = ledger();
    const body = (n: string) => bodyOf("fifo-queue.audited", Number(n));
    for (const n of ["0", "1", "2"]) book.sent(body(n), ["somebody"], "g");
    if (came.includes("3")) book.sent(body("3"), ["somebody"], "h");
    book.opened("accepted-unsettled", opened.map(body));
    book.unordered(unordered.map(body));
    for (const n of came) book.received("somebody", body(n));
    const verdict = { world: "network", seed: 1, tallies: book.judge([]), census: new Map(), spent: [] } as const;
    expect(brokenLaws(verdict).map(({ law }) => law)).toEqual(laws);
  });
});

test("a receive spent on waiting breaks a law", () => {
  const verdict = { world: "bridge", seed: 1, tallies: new Map(), census: new Map(), spent: ["bridge-queue.AT_MOST_ONCE/1"] } as const;
  expect(brokenLaws(verdict)).toMatchObject([{ law: "no receive is spent on waiting for a target" }]);
});

test.for([
  { about: "queue.audited/3", cells: ["queue.audited"] },
  { about: "queue://composite.unaudited.x", cells: ["composite.unaudited"] },
  { about: "arn:aws:sqs:eu-west-1:000000000000:spanmq-test-a-q-direct-audited", cells: ["direct.audited"] },
  { about: "bridge-queue.DUPLICATES_OK/1", cells: ["bridge-queue.DUPLICATES_OK"] },
  { about: "spanmq-chaos-us-q-embedded_-queue-audited", cells: ["embedded-queue.audited"] },
  {
    about: "spanmq-chaos-us-q-embedded_-bridge-ONCE__AND__ONLY__ONCE-source",
    cells: ["embedded-bridge.ONCE_AND_ONLY_ONCE"],
  },
  { about: "fifo-topic.audited/4", cells: ["fifo-topic.audited"] },
  { about: "arn:aws:sqs:eu-west-1:000000000000:spanmq-test-a-q-fifo_-queue-unaudited.fifo", cells: ["fifo-queue.unaudited"] },
  { about: "http://sqs/000000000000/spanmq-chaos-us-q-embedded_-fifo-audited.fifo", cells: ["embedded-fifo.audited"] },
  { about: "queue://something.else", cells: [] },
])("$about is of $cells", ({ about, cells }) => {
  expect(cellsIn({ about })).toEqual(cells);
});
