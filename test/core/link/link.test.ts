import { describe, expect, test } from "vitest";
import { isAway, isStopped, type LinkRecord, newLink, runsFirst, withFirstRun } from "../../../core/link/link.ts";
import { aLinkFrom } from "../../support/a-connector.ts";

const [toB, toC] = [aLinkFrom("a", "b"), aLinkFrom("a", "c")];
const aLink = (fields: Partial<LinkRecord> = {}): LinkRecord => ({ ...newLink(toB.link), ...fields });
const [stop, start] = (["stop", "start"] as const).map((run) => aLink({ commanded: { run, counter: 1 } }));

describe("a link is stopped", () => {
  test.for([
    { rule: "not before anything is known of it", link: undefined, stopped: false },
    { rule: "by autoStart: false", link: aLink(), connector: { autoStart: false }, stopped: true },
    { rule: "by a command", link: stop, stopped: true },
    { rule: "not if it was commanded to start, whatever autoStart says", link: start, connector: { autoStart: false }, stopped: false },
    { rule: "when it is being removed, whatever was commanded", link: start, connector: { removed: true }, stopped: true },
  ])("$rule", ({ link, connector = {}, stopped }) => {
    expect(isStopped(link, { ...toB, ...connector })).toBe(stopped);
  });
});

describe("a link's peer is away", () => {
  test.for([
    { rule: "before it answered a probe", link: aLink(), away: true },
    { rule: "not when it answered within its lease", link: aLink({ answeredAt: 1_000 }), now: 120_999, away: false },
    { rule: "when its lease is over", link: aLink({ answeredAt: 1_000 }), now: 121_000, away: true },
    { rule: "when it said that it is being destroyed", link: aLink({ answeredAt: 1_000, closedAt: 2_000 }), now: 3_000, away: true },
  ])("$rule", ({ link, now = 1_000, away }) => {
    expect(isAway(link, 120, now)).toBe(away);
  });
});

describe("a link knows its peer's durable subscriptions", () => {
  test.for([
    { rule: "not while it waits for its peer", link: aLink(), first: false },
    { rule: "from the moment that it is started", link: aLink({ state: "started" }), first: true },
    { rule: "though the configurations differ", link: aLink({ state: "configuration differs" }), first: true },
    { rule: "not by being stopped", link: { ...aLink({ state: "started" }), ...stop, state: "started" as const }, first: false },
    { rule: "once and for all", link: aLink({ state: "started", ranSince: 5 }), first: false },
  ])("$rule", ({ link, first }) => {
    expect(runsFirst(link, toB)).toBe(first);
  });

  test("since another link to the same peer has known them, whatever it is called", () => {
    const known = [aLink({ to: toB.to, ranSince: 50 }), aLink({ to: toB.to, ranSince: 30 }), aLink({ to: toC.to, ranSince: 10 })];
    expect(withFirstRun(aLink(), toB.to, known, 100)).toMatchObject({ to: toB.to, ranSince: 30 });
    expect(withFirstRun(aLink(), toB.to, [], 100)).toMatchObject({ ranSince: 100 });
  });
});
