import { describe, expect, test } from "vitest";
import { brokerId, linkId } from "../../../core/ids.ts";
import { decideAnswer, decideProbe, judgeHello } from "../../../core/link/handshake.ts";
import { isAway, type LinkRecord, newLink } from "../../../core/link/link.ts";
import type { Hello } from "../../../core/message/hello.ts";
import { aLinkFrom } from "../../support/a-connector.ts";

const link = linkId(brokerId("a"), "to-b");
const aLink = (fields: Partial<LinkRecord> = {}): LinkRecord => ({ ...newLink(link), ...fields });
const started = aLink({ state: "started", answeredAt: 1_000 });
const lease = 10;

describe("isAway with a peerLease of ten seconds", () => {
  test.for([
    { rule: "a link that nobody has probed", record: undefined, now: 0, away: true },
    { rule: "a peer that never answered", record: aLink({ probedAt: 900 }), now: 1_000, away: true },
    { rule: "not a peer that answered within its lease", record: started, now: 10_999, away: false },
    { rule: "a peer silent for its lease", record: started, now: 11_000, away: true },
  ])("$rule", ({ record, now, away }) => {
    expect(isAway(record, lease, now)).toBe(away);
  });
});

describe("decideProbe", () => {
  test.for([
    { rule: "the first probe waits for its peer", stored: undefined, now: 5, state: "waiting for peer", fellSilent: false },
    { rule: "a started link stays started", stored: started, now: 2_000, state: "started", fellSilent: false },
    { rule: "a peer silent for its lease is waited for", stored: started, now: 11_000, state: "waiting for peer", fellSilent: true },
    {
      rule: "it falls silent once",
      stored: { ...started, state: "waiting for peer" as const },
      now: 12_000,
      state: "waiting for peer",
      fellSilent: false,
    },
    {
      rule: "so does one that differed",
      stored: { ...started, state: "configuration differs" as const },
      now: 11_000,
      state: "waiting for peer",
      fellSilent: true,
    },
  ])("$rule", ({ stored, now, state, fellSilent }) => {
    const decided = decideProbe(stored, link, lease, now);
    expect(decided).toMatchObject({ fellSilent, record: { link, state, probedAt: now } });
  });
});

describe("decideAnswer at 1500", () => {
  test.for([
    {
      rule: "the first answer starts the link and says its lag",
      stored: aLink({ probedAt: 1_000 }),
      counter: 1_000,
      digest: "same",
      expected: { cameUp: true, record: { state: "started", answeredAt: 1_000, lag: 500 } },
    },
    {
      rule: "another digest: the configuration differs, though the link carries",
      stored: aLink(),
      counter: 1_000,
      digest: "other",
      expected: { cameUp: true, record: { state: "configuration differs" } },
    },
    {
      rule: "a further answer changes no state",
      stored: started,
      counter: 1_200,
      digest: "same",
      expected: { cameUp: false, record: { state: "started", answeredAt: 1_200, lag: 300 } },
    },
    {
      rule: "one after the peer's lease ran out brings it back, though no probe noticed that it was away",
      stored: { ...started, answeredAt: 1_500 - 1_000 * lease },
      counter: 1_200,
      digest: "same",
      expected: { cameUp: true, record: { state: "started", answeredAt: 1_200 } },
    },
    {
      rule: "an answer overtaken by a later one says nothing",
      stored: started,
      counter: 999,
      digest: "other",
      expected: { cameUp: false, record: started },
    },
    {
      rule: "an equal one repeats",
      stored: started,
      counter: 1_000,
      digest: "same",
      expected: { cameUp: false, record: { state: "started", answeredAt: 1_000 } },
    },
    {
      rule: "a configuration that was made the same heals",
      stored: { ...started, state: "configuration differs" as const },
      counter: 1_300,
      digest: "same",
      expected: { cameUp: false, record: { state: "started" } },
    },
    {
      rule: "a clock that went back is no negative lag",
      stored: aLink(),
      counter: 9_000,
      digest: "same",
      expected: { record: { lag: 0 } },
    },
  ])("$rule", ({ stored, counter, digest, expected }) => {
    expect(decideAnswer(stored, link, { counter, digest }, { digest: "same", peerLease: lease }, 1_500)).toMatchObject(expected);
  });
});

describe("judgeHello at b", () => {
  const connectors = [aLinkFrom("a", "b"), aLinkFrom("b", "a")];
  const hello = (fields: Partial<Hello> = {}): Hello => ({
    link,
    from: brokerId("a"),
    to: brokerId("b"),
    digest: "d",
    advisoryFilter: [],
    keys: [],
    counter: 5,
    ...fields,
  });
  test.for([
    { rule: "of a connector that points here", hello: hello(), stored: undefined, expected: "accept" },
    { rule: "the same once more", hello: hello(), stored: hello(), expected: "accept" },
    { rule: "a later one", hello: hello({ counter: 6 }), stored: hello(), expected: "accept" },
    { rule: "not an older one", hello: hello({ counter: 4 }), stored: hello(), expected: "older" },
    {
      rule: "not of a connector that nobody configured",
      hello: hello({ link: linkId(brokerId("a"), "other") }),
      stored: undefined,
      expected: "unknown-connector",
    },
    { rule: "not in another broker's name", hello: hello({ from: brokerId("c") }), stored: undefined, expected: "unknown-connector" },
    {
      rule: "not of our own connector, which leads away",
      hello: hello({ link: linkId(brokerId("b"), "to-a"), from: brokerId("b") }),
      stored: undefined,
      expected: "unknown-connector",
    },
  ])("$rule", ({ hello: heard, stored, expected }) => {
    const verdict = judgeHello(heard, brokerId("b"), connectors, stored);
    expect(verdict.verdict === "ignore" ? verdict.why : verdict.verdict).toBe(expected);
  });
});
