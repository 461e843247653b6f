import { describe, expect, test } from "vitest";
import { brokerId, linkId } from "../../../core/ids.ts";
import { closedLink, isCounting, isStillClosing } from "../../../core/link/closing.ts";
import { decideAnswer, decideProbe } from "../../../core/link/handshake.ts";
import { isAway, isClosed, newLink } from "../../../core/link/link.ts";
import type { Hello } from "../../../core/message/hello.ts";

const link = linkId(brokerId("a"), "to-b");
const started = { ...newLink(link), state: "started" as const, probedAt: 1_000, answeredAt: 1_000, lag: 5 };
const hello = (counter: number): Hello => ({
  link: linkId(brokerId("b"), "to-a"),
  from: brokerId("b"),
  to: brokerId("a"),
  digest: "d",
  advisoryFilter: [],
  keys: [],
  counter,
});

describe("a peer that says it closes", () => {
  test.for([
    { rule: "is believed if nothing was heard of it", heard: [], closing: true },
    { rule: "is believed after its last hello", heard: [hello(9), hello(10)], closing: true },
    { rule: "isn't believed any more when a later hello was heard over any link", heard: [hello(9), hello(11)], closing: false },
  ])("$rule", ({ heard, closing }) => {
    expect(isStillClosing(10, heard)).toBe(closing);
  });
});

describe("a link whose peer closed at 1500", () => {
  const closed = closedLink(started, link, 1_500);

  test("waits for its peer, which is away at once", () => {
    expect(closed).toEqual({ ...started, state: "waiting for peer", closedAt: 1_500 });
    expect([isClosed(closed), isAway(closed, 3_600, 1_501), isClosed(started), isClosed(undefined)]).toEqual([true, true, false, false]);
  });

  test("is closed before it ever started, too", () => {
    expect(closedLink(undefined, link, 1_500)).toEqual({ ...newLink(link), closedAt: 1_500 });
  });

  test("stays closed since the first time that it was said", () => {
    expect(closedLink(closed, link, 1_700)).toEqual(closed);
  });

  test("when it is probed, is still closed and isn't said to have fallen silent", () => {
    expect(decideProbe(closed, link, 3_600, 2_000)).toEqual({ fellSilent: false, record: { ...closed, probedAt: 2_000 } });
  });

  test.for([
    { rule: "not while it may count what is left", now: 601_499, counting: true },
    { rule: "but then", now: 601_500, counting: false },
  ])("is probed by the tick $rule", ({ now, counting }) => {
    expect([isCounting(closed, now), isCounting(started, now), isCounting(undefined, now)]).toEqual([counting, false, false]);
  });

  test.for([
    { rule: "not by an answer to a probe from before", counter: 1_400, starts: false },
    { rule: "nor from that moment", counter: 1_500, starts: false },
    { rule: "but by an answer to a later one", counter: 1_501, starts: true },
  ])("starts again: $rule", ({ counter, starts }) => {
    const { record, cameUp } = decideAnswer(closed, link, { counter, digest: "same" }, { digest: "same", peerLease: 3_600 }, 2_000);
    expect([cameUp, record.state, isClosed(record)]).toEqual([starts, starts ? "started" : "waiting for peer", !starts]);
  });
});
