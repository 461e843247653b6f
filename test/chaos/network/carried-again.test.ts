import { expect, test } from "vitest";
import { destinationOf } from "../../../core/destination/destination.ts";
import type { LinkId } from "../../../core/ids.ts";
import type { HandOver, RestingCopy } from "../../../core/ports.ts";
import type { Target } from "../../../core/routing/plan.ts";
import { carriedAgain } from "./carried-again.ts";

const [one, other] = ["fifo-queue.unaudited/0", "fifo-queue.unaudited/1"];
const part = "composite.unaudited/0";
const lane = { link: "a:to-b" as LinkId, fifo: true } as const;
const shelter: Target = { to: "undelivered", ...lane };
const handOver = (body: string, target: Target = { to: "link", ...lane }): HandOver => ({ target, wire: { body, attributes: {} } });
const copy = (body: string): RestingCopy => ({ ref: body, id: body, receipt: body, sentAt: 0, receiveCount: 1, body, attributes: {} });

test.for<{ rule: string; play: (windows: ReturnType<typeof carriedAgain>) => void; again: readonly string[] }>([
  {
    rule: "what was handed over and deleted is gone",
    play: ({ answered, removed, ended }) => {
      answered(handOver(one), "accepted");
      removed([copy(one)]);
      ended();
    },
    again: [],
  },
  {
    rule: "what wasn't deleted comes again, once, whoever took it",
    play: ({ answered, removed, ended }) => {
      answered(handOver(one), "accepted");
      answered(handOver(one, { to: "queue", destination: destinationOf("queue://orders.fifo") }), "accepted");
      answered(handOver(other), "accepted");
      removed([copy(other)]);
      ended();
      ended();
    },
    again: [one],
  },
  {
    rule: "what a link has that didn't say so is there beside the copy in its shelter",
    play: ({ answered, removed, ended }) => {
      answered(handOver(one), "silent");
      answered(handOver(one, shelter), "accepted");
      removed([copy(one)]);
      ended();
    },
    again: [one],
  },
  {
    rule: "what one of its targets took comes again for another that refused",
    play: ({ answered }) => {
      answered(handOver(one), "refused");
      answered(handOver(one, shelter), "accepted");
      answered(handOver(other), "accepted");
      answered(handOver(one, { ...shelter, link: "a:to-c" as LinkId }), "refused");
    },
    again: [one],
  },
  {
    rule: "each of two copies comes again, but what was deleted",
    play: ({ answered, removed, ended }) => {
      for (let n = 0; n < 3; n += 1) answered(handOver(one), "accepted");
      removed([copy(one)]);
      ended();
    },
    again: [one, one],
  },
  {
    rule: "each of two copies of a queue's message comes again, whichever way it went",
    play: ({ answered, ended }) => {
      answered({ ...handOver(one), group: "queue://q" }, "accepted");
      answered({ ...handOver(one, shelter), group: "queue://q" }, "accepted");
      ended();
    },
    again: [one, one],
  },
  {
    rule: "what has a part that a link refused comes again for that, to whom another part went",
    play: ({ answered }) => {
      answered({ ...handOver(part), group: "queue://composite.unaudited.x" }, "accepted");
      answered({ ...handOver(part), group: "queue://composite.unaudited.y" }, "refused");
    },
    again: [part],
  },
  {
    rule: "what has a part for a destination that isn't there yet comes again for that, unless it has no other",
    play: ({ answered, awaits }) => {
      answered({ ...handOver(part), group: "queue://composite.unaudited.x" }, "accepted");
      answered({ ...handOver(one), group: "queue://fifo-queue.unaudited.fifo" }, "accepted");
      awaits(["queue://composite.unaudited.y", "queue://fifo-queue.unaudited.fifo"]);
    },
    again: [part],
  },
])("$rule", ({ play, again }) => {
  const bodies: string[] = [];
  play(carriedAgain({ comesAgain: (which) => void bodies.push(...which) }));
  expect(bodies).toEqual(again);
});
