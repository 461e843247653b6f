import { describe, expect, test } from "vitest";
import { topicSubscribers } from "../../../../core/broker/control/subscribers.ts";
import { newSubscription, subscriptionId } from "../../../../core/broker/control/subscriptions.ts";
import type { SubscriptionFilter, SubscriptionRecord } from "../../../../core/broker/records.ts";
import { destinationOf } from "../../../../core/destination/destination.ts";
import { brokerId, linkId } from "../../../../core/ids.ts";
import type { Stored, SubscriptionTarget } from "../../../../core/ports.ts";
import type { PresenceRecord } from "../../../../core/presence/presence.ts";
import type { LinkCandidate } from "../../../../core/routing/view.ts";
import { sliceOf } from "../../../support/a-slice.ts";
import { aView } from "../../../support/dispatching.ts";
import { networkOf, pair } from "../../../support/simulator/topologies.ts";

const key = "topic://prices";
const now = 1_000_000;
const covered = now + 20 * 60_000;
const slice = sliceOf(networkOf(pair), "a");
const link = linkId(brokerId("a"), "to-b");
const toB = { to: "link", link } as const;

const present = (queue: string, selector?: string): PresenceRecord => ({
  holder: queue,
  destination: key,
  priority: 0,
  count: 1,
  ownQueue: queue,
  ...(selector !== undefined && { selector }),
});
const candidate = (...selectors: readonly string[]): LinkCandidate => ({
  ...{ to: "link", id: "link:a:to-b@0", priority: 0, weight: 1, link },
  ...(selectors.length > 0 && { selectors }),
});
const row = (target: SubscriptionTarget, fields: Partial<SubscriptionRecord> = {}): Stored<SubscriptionRecord> => ({
  id: subscriptionId(target),
  revision: 1,
  value: { ...newSubscription(key, { target }), state: "subscribed", arn: "arn", ...fields },
});
const at = (queue: string, fields: Partial<SubscriptionRecord> = {}) => row({ to: "own-queue", queue }, fields);
const known = (...selectors: readonly string[]): { readonly filter: SubscriptionFilter } => ({
  filter: { selectors, policy: selectors.map((text) => policies[text]).join() },
});
const [x, y, z, odd] = ["kind = 'x'", "kind = 'y'", "kind = 'z'", "size + 1 = 2"];
const policies: Readonly<Record<string, string>> = { [x]: '{"$or":[{"kind":["x"]},{"SpanMQ.hidden":[{"exists":true}]}]}' };

interface Given {
  readonly subscribed?: readonly PresenceRecord[];
  readonly links?: readonly LinkCandidate[];
  readonly rows?: readonly Stored<SubscriptionRecord>[];
  readonly topic?: string;
}
const judged = ({ subscribed = [], links = [], rows = [], topic = key }: Given) =>
  topicSubscribers({ destination: destinationOf(topic), slice, subscriptions: rows, view: undefined }, subscribed, links, now);
/** `x.1 where kind = 'x'`: filtered by SNS; `x.1 fed`: by the feed. */
const said = (given: Given): readonly string[] =>
  judged(given).wanted.map(({ target, filter, fed, fedUntil, bySns = [] }) => {
    const name = target.to === "feed" ? "feed" : target.to === "link" ? target.link : target.queue;
    return [
      name,
      ...(filter ? [`where ${filter.selectors.join(" | ")}`] : []),
      ...(fed ? ["fed"] : []),
      ...(fedUntil ? [`fed until ${fedUntil}`] : []),
      ...(bySns.length > 0 ? [`but ${bySns.join(" | ")}`] : []),
    ].join(" ");
  });
const numbered = <T>(count: number, one: (n: number) => T): readonly T[] => Array.from({ length: count }, (_, n) => one(n));

describe("a client's subscription", () => {
  test.for<{ rule: string; given: Given; wanted: readonly string[] }>([
    { rule: "without a selector is SNS's", given: { subscribed: [present("x.1")] }, wanted: ["x.1"] },
    { rule: "whose selector translates has a filter", given: { subscribed: [present("x.1", x)] }, wanted: [`x.1 where ${x}`] },
    { rule: "whose selector doesn't is the feed's", given: { subscribed: [present("x.1", odd)] }, wanted: ["feed", "x.1 fed"] },
    {
      rule: "that two of a consumer's patterns match is one",
      given: { subscribed: [present("x.1", odd), present("x.1", odd)] },
      wanted: ["feed", "x.1 fed"],
    },
    {
      rule: "that stands without the feed stays so",
      given: { subscribed: [present("x.1", odd)], rows: [at("x.1")] },
      wanted: ["x.1"],
    },
    {
      rule: "that the feed serves stays so, though it translates by now",
      given: { subscribed: [present("x.1", x)], rows: [at("x.1", { fed: true })] },
      wanted: ["feed", "x.1 fed"],
    },
    {
      rule: "is the thirteenth that needs the feed: its client chooses",
      given: { subscribed: [present("z", odd)], rows: numbered(12, (n) => at(`x.${n}`, { fed: true })) },
      wanted: ["z"],
    },
    {
      rule: "is the 201st that needs a filter: the feed serves it",
      given: { subscribed: [present("z", x)], rows: numbered(200, (n) => at(`x.${n}`, known(x))) },
      wanted: ["feed", "z fed"],
    },
    {
      rule: "that has a filter keeps it in a crowd",
      given: { subscribed: [present("x.7", x)], rows: numbered(200, (n) => at(`x.${n}`, known(x))) },
      wanted: [`x.7 where ${x}`],
    },
  ])("$rule", ({ given, wanted }) => {
    expect(said(given)).toEqual(wanted);
  });

  test("of a FIFO topic that no link permits has no feed: its client chooses", () => {
    expect(said({ subscribed: [present("x.1.fifo", odd)], topic: "topic://prices.fifo" })).toEqual(["x.1.fifo"]);
  });

  test("that finds the quota used up is counted", () => {
    const rows = numbered(200, (n) => at(`x.${n}`, known(x)));
    expect(judged({ subscribed: [present("z", x), present("y", odd)], rows }).unfiltered).toBe(1);
  });
});

describe("a link's subscription", () => {
  test.for<{ rule: string; given: Given; wanted: readonly string[] }>([
    { rule: "has no filter for those who want everything", given: { links: [candidate()] }, wanted: ["a:to-b"] },
    { rule: "has one for all selectors together", given: { links: [candidate(y), candidate(x)] }, wanted: [`a:to-b where ${x} | ${y}`] },
    { rule: "has none if one of them doesn't translate", given: { links: [candidate(x, odd)] }, wanted: ["a:to-b"] },
    { rule: "has none if somebody wants everything", given: { links: [candidate(x), candidate()] }, wanted: ["a:to-b"] },
    {
      rule: "that gets another filter is fed until SNS follows it",
      given: { links: [candidate(x, y)], rows: [row(toB, known(x))] },
      wanted: ["feed", `a:to-b where ${x} | ${y} fed until ${covered} but ${x}`],
    },
    {
      rule: "that loses its filter likewise",
      given: { links: [candidate()], rows: [row(toB, known(x))] },
      wanted: ["feed", `a:to-b fed until ${covered} but ${x}`],
    },
    {
      rule: "that gets a third one is fed what any of the others may hold back",
      given: { links: [candidate(x, y, z)], rows: [row(toB, { ...known(x, y), fedUntil: now + 1, bySns: [y, odd] })] },
      wanted: ["feed", `a:to-b where ${x} | ${y} | ${z} fed until ${covered} but ${y}`],
    },
    {
      rule: "that gets a third one long after the second is fed what the second may hold back",
      given: { links: [candidate(x, y, z)], rows: [row(toB, { ...known(x, y), fedUntil: now, bySns: [y] })] },
      wanted: ["feed", `a:to-b where ${x} | ${y} | ${z} fed until ${covered} but ${x} | ${y}`],
    },
    { rule: "that gets its first isn't", given: { links: [candidate(x)], rows: [row(toB)] }, wanted: [`a:to-b where ${x}`] },
    {
      rule: "nor one for less than before",
      given: { links: [candidate(x)], rows: [row(toB, known(x, y))] },
      wanted: [`a:to-b where ${x}`],
    },
    {
      rule: "that keeps its filter is fed for the rest of the time",
      given: { links: [candidate(x)], rows: [row(toB, { ...known(x), fedUntil: now + 1 })] },
      wanted: ["feed", `a:to-b where ${x} fed until ${now + 1}`],
    },
    {
      rule: "and then no more, but for what was sent before",
      given: { links: [candidate(x)], rows: [row(toB, { ...known(x), fedUntil: now })] },
      wanted: [`a:to-b where ${x} fed until ${now}`],
    },
    {
      rule: "whose filter may or may not have been told is fed",
      given: { links: [candidate(x)], rows: [row(toB, { state: "subscribing" })] },
      wanted: ["feed", `a:to-b where ${x} fed until ${covered}`],
    },
    {
      rule: "of a table that was restored is fed if there is a filter",
      given: { links: [candidate(x)], rows: [row(toB, { doubtedFrom: 0 })] },
      wanted: ["feed", `a:to-b where ${x} fed until ${covered}`],
    },
    { rule: "and else isn't", given: { links: [candidate()], rows: [row(toB, { doubtedFrom: 0 })] }, wanted: ["a:to-b"] },
    {
      rule: "that SNS doesn't have yet isn't either",
      given: { links: [candidate(x)], rows: [{ ...row(toB), value: newSubscription(key, { target: toB }) }] },
      wanted: [`a:to-b where ${x}`],
    },
  ])("$rule", ({ given, wanted }) => {
    expect(said(given)).toEqual(wanted);
  });

  test("to another account has no filter: it may not be ours to change", () => {
    const brokers = slice.brokers.map((one) => (one.id === "b" ? { ...one, account: "999999999999" } : one));
    const facts = { destination: destinationOf(key), slice: { ...slice, brokers }, subscriptions: [], view: undefined };
    expect(topicSubscribers(facts, [], [candidate(x)], now).wanted).toEqual([{ target: toB }]);
  });

  test("that the feed alone served is fed until SNS surely serves it, however slow whoever subscribes it is", () => {
    const view = {
      id: key,
      revision: 1,
      value: aView(key, [{ ...candidate(), stopped: true }]),
    };
    const facts = { destination: destinationOf(key), slice, subscriptions: [], view };
    const [slowest, grace, cached] = [60_000, 15_000, 2_000];
    expect(topicSubscribers(facts, [], [candidate()], now).links).toEqual([{ ...candidate(), fedUntil: now + slowest + grace + cached }]);
  });

  test("is known to routing as it is fed", () => {
    const { links } = judged({ links: [candidate(x, y)], rows: [row(toB, known(x))] });
    expect(links).toEqual([{ ...candidate(x, y), fedUntil: covered, bySns: [x] }]);
  });
});
