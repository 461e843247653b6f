import { describe, expect, test } from "vitest";
import type { PassOrder } from "../../../core/broker/events.ts";
import { arrivalKey, restingKey } from "../../../core/carry/scope.ts";
import { destinationKey, destinationOf } from "../../../core/destination/destination.ts";
import type { BrokerId, LinkId } from "../../../core/ids.ts";
import type { HandOver, HandOverAnswer, RestingCopy } from "../../../core/ports.ts";
import type { DrainedPlace, Target } from "../../../core/routing/plan.ts";
import { type OpenWindows, openWindows } from "./open-windows.ts";

const queue = destinationOf("queue://orders");
const [link, body] = ["a:to-b" as LinkId, "queue.audited/0"];
const here: Target = { to: "queue", destination: queue };
const there: Target = { to: "link", link };
const shelter: Target = { to: "undelivered", link };
const topic: Target = { to: "topic", destination: destinationOf("topic://orders") };
const own = (connection: string): Target => ({ to: "own-queue", queue: `${connection}.c1.topic` });
const orderedBody = "fifo-direct.audited/0";
const wire = { body, attributes: { SpanMQ: { type: "String", value: JSON.stringify({ id: "m", path: ["b"] }) } } };
const handOver = (target: Target = here): HandOver => ({ target, wire, group: destinationKey(queue) });
/** One of two copies of the message that rest here. */
const copy = (ref: string): RestingCopy => ({ ...wire, ref, id: ref, receipt: ref, sentAt: 0, receiveCount: 1 });
const claims = [{ key: arrivalKey({ id: "m", brokerPath: ["b" as BrokerId] }, "ingress", queue), attempt: "1" }];
const claimOf = (ref: string) => ({ key: restingKey("queue", ref), attempt: "1" });
const foundDone = { answer: "found", record: { owner: "", attempt: "", claimedAt: 0, plan: undefined, state: "done" } } as const;

const opened = (work: "batch" | DrainedPlace, play: (windows: OpenWindows) => void, isOvertaken = () => false): readonly string[] => {
  const windows: string[] = [];
  const ledger = {
    opened: (window: string, bodies: readonly string[], reader = "anybody") => void windows.push(`${window} ${bodies} ${reader}`),
  };
  play(openWindows(work === "batch" ? work : ({ place: work } as PassOrder), ledger, "a" as BrokerId, isOvertaken));
  return windows;
};
const hand = (windows: OpenWindows, target?: Target, answer: HandOverAnswer["answer"] = "accepted") =>
  windows.handed(handOver(target), answer);

test("what a handler settles whose claim was taken over meanwhile comes twice, where its target can't tell", () => {
  const play = (target: Target) => (windows: OpenWindows) => {
    hand(windows, target);
    windows.settled(claims);
  };
  const overtaken = [here, there].flatMap((target) => opened("batch", play(target), () => true));
  expect(overtaken).toEqual(["clocks-apart queue.audited/0 queue://orders"]);
});

describe("of what came by a door", () => {
  test.for<{ rule: string; play: (windows: OpenWindows) => void; open: readonly string[] }>([
    {
      rule: "what a queue accepted before its handler died comes twice",
      play: (windows) => {
        hand(windows);
        windows.ended("dead");
      },
      open: ["accepted-unsettled queue.audited/0 queue://orders"],
    },
    {
      rule: "what a queue accepted and didn't say comes twice",
      play: (windows) => hand(windows, here, "silent"),
      open: ["accepted-unsettled queue.audited/0 queue://orders"],
    },
    {
      rule: "what couldn't be settled comes twice",
      play: (windows) => {
        hand(windows);
        windows.unsettled(claims);
      },
      open: ["settle-failed queue.audited/0 queue://orders"],
    },
    {
      rule: "what is settled doesn't",
      play: (windows) => {
        hand(windows);
        windows.settled(claims);
        windows.ended("dead");
      },
      open: [],
    },
    {
      rule: "what a link accepted doesn't",
      play: (windows) => {
        hand(windows, there);
        windows.ended("dead");
      },
      open: [],
    },
    {
      rule: "each subscriber that accepted gets it twice, and no other",
      play: (windows) => {
        hand(windows, own("conn1"));
        hand(windows, own("conn2"));
        windows.ended("dead");
      },
      open: ["accepted-unsettled queue.audited/0 conn1", "accepted-unsettled queue.audited/0 conn2"],
    },
    {
      rule: "whoever is subscribed here gets what a topic here accepted twice",
      play: (windows) => {
        hand(windows, topic);
        windows.ended("dead");
      },
      open: ["accepted-unsettled queue.audited/0 a"],
    },
  ])("$rule", ({ play, open }) => {
    expect(opened("batch", play)).toEqual(open);
  });
});

describe("of what rests where consumers may come", () => {
  const undeleted = "pass-undeleted queue.audited/0 queue://orders";
  const unsheltered = "pass-unsheltered queue.audited/0 queue://orders";
  test.for<{ rule: string; play: (windows: OpenWindows) => void; open: readonly string[] }>([
    {
      rule: "what was sent and deleted is nobody's any more",
      play: (windows) => {
        hand(windows, there);
        windows.removed([copy("1")]);
      },
      open: [],
    },
    { rule: "what was sent and not deleted is a consumer's too", play: (windows) => hand(windows, there), open: [undeleted] },
    {
      rule: "each of two copies of one message is",
      play: (windows) => {
        hand(windows);
        hand(windows);
      },
      open: [undeleted, undeleted],
    },
    {
      rule: "one is where only the other could be deleted",
      play: (windows) => {
        hand(windows, there);
        hand(windows, there);
        windows.removed([copy("2")]);
      },
      open: [undeleted],
    },
    {
      rule: "one is where the other was sent before, and is deleted now",
      play: (windows) => {
        windows.claimed([claimOf("1"), claimOf("2")], [{ answer: "granted" }, foundDone]);
        hand(windows, there);
        windows.removed([copy("2")]);
      },
      open: [undeleted],
    },
    {
      rule: "what neither a link nor its shelter answered for is a consumer's too",
      play: (windows) => {
        hand(windows, there, "silent");
        hand(windows, shelter, "silent");
      },
      open: [unsheltered],
    },
    { rule: "what a link may have, and no shelter, is", play: (windows) => hand(windows, there, "silent"), open: [unsheltered] },
    { rule: "what its shelter may have, and not the link, is", play: (windows) => hand(windows, shelter, "silent"), open: [unsheltered] },
    {
      rule: "what its shelter accepted is, until it is deleted",
      play: (windows) => {
        hand(windows, there, "silent");
        hand(windows, shelter);
        windows.removed([copy("1")]);
      },
      open: [],
    },
  ])("$rule", ({ play, open }) => {
    const ended = (windows: OpenWindows): void => {
      play(windows);
      windows.ended("alive");
    };
    expect(opened({ to: "queue", destination: queue }, ended)).toEqual(open);
  });
});

test("what a pass takes from a private queue, whose consumer is gone, is claimed when it comes again", () => {
  const play = (windows: OpenWindows): void => {
    windows.received([copy("1"), copy("2")]);
    hand(windows);
    hand(windows);
    windows.settled([claimOf("2")]);
    windows.ended("dead");
  };
  expect(opened({ to: "private", queue: "conn1.c1" }, play)).toEqual(["accepted-unsettled queue.audited/0 queue://orders"]);
});

test.for([
  { rule: "is handed over once more if it wasn't settled", settles: [], open: ["pass-undeleted", "accepted-unsettled"] },
  { rule: "isn't if it was", settles: [claimOf("1")], open: ["pass-undeleted"] },
])("what a pass handed to a FIFO target and didn't delete $rule", ({ settles, open }) => {
  const play = (windows: OpenWindows): void => {
    windows.received([copy("1")]);
    windows.handed({ ...handOver({ to: "private", queue: "conn1.c1.fifo" }), wire: { ...wire, body: orderedBody } }, "accepted");
    windows.settled(settles);
    windows.ended("dead");
  };
  expect(opened({ to: "queue", destination: queue }, play).flatMap((one) => (one.includes(orderedBody) ? one.split(" ")[0] : []))).toEqual(
    open,
  );
});

test("what is parked for a link opens no window: its receiver drops what it has", () => {
  const play = (windows: OpenWindows): void => {
    hand(windows, there);
    windows.ended("dead");
  };
  expect(opened({ to: "undelivered", link }, play)).toEqual([]);
});
