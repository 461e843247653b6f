import { describe, expect, test } from "vitest";
import { decideDestination } from "../../../../core/broker/control/decide.ts";
import type { DestinationFacts, LinkFacts } from "../../../../core/broker/control/facts.ts";
import type { DemandGroup, LearntRecord } from "../../../../core/demand/demand.ts";
import { destinationOf } from "../../../../core/destination/destination.ts";
import type { PresenceRecord } from "../../../../core/presence/presence.ts";
import type { Candidate } from "../../../../core/routing/view.ts";
import { aGroup, aLinkFrom } from "../../../support/a-connector.ts";
import { sliceOf } from "../../../support/a-slice.ts";
import { networkOf, type Particulars, pair } from "../../../support/simulator/topologies.ts";

const now = 10_000;
const slice = (particulars: Particulars = {}) => sliceOf(networkOf(pair, {}, particulars), "a");
const present = (holder: string, fields: Partial<PresenceRecord> = {}): PresenceRecord => ({
  holder,
  destination: "queue://orders",
  priority: 0,
  count: 1,
  leaseUntil: now + 1,
  ...fields,
});
const learnt = (groups: readonly DemandGroup[]): LearntRecord => ({
  link: aLinkFrom("a", "b").link,
  destination: "queue://orders",
  version: 1,
  tableId: "t",
  groups,
  told: 0,
});
const theirs = learnt([aGroup("", { origin: "b", count: 2 })]);
const aLink = (fields: Partial<LinkFacts> = {}): LinkFacts => ({
  connector: aLinkFrom("a", "b"),
  away: false,
  stopped: false,
  closed: false,
  started: true,
  ranSince: 0,
  exact: undefined,
  byPattern: [],
  ...fields,
});
const wanted = (fields: Partial<LinkFacts> = {}) => aLink({ exact: { id: "x", revision: 1, value: theirs }, ...fields });

const selective = () => {
  const groups = [...byKind("x", 1), ...byKind("y", 2)];
  const connector = aLinkFrom("a", "b", { conduitSubscriptions: false });
  return aLink({ connector, exact: { id: "x", revision: 1, value: learnt(groups) } });
};
const byKind = (kind: string, count: number) => [aGroup("", { origin: "b", group: kind, count, selectors: [`kind = '${kind}'`] })];

const facts = (key: string, fields: Partial<DestinationFacts> = {}): DestinationFacts => ({
  destination: destinationOf(key),
  key,
  slice: slice(),
  view: undefined,
  demand: undefined,
  exactPresence: [],
  patternPresence: [],
  links: [aLink()],
  record: { destination: destinationOf(key), owner: "declared", madeAt: 0 },
  subscriptions: [],
  discovered: undefined,
  ...fields,
});
const queue = (fields: Partial<DestinationFacts> = {}) => facts("queue://orders", fields);
const topic = (fields: Partial<DestinationFacts> = {}) => facts("topic://prices", fields);
const seen = (candidates: readonly Candidate[] | undefined) => candidates?.map(({ id, weight }) => `${id} ${weight}`).toSorted();

describe("the candidates of a queue", () => {
  test.for([
    { rule: "nobody", facts: queue(), candidates: [] },
    {
      rule: "live consumers of the shared queue, by priority",
      facts: queue({ exactPresence: [present("x/1"), present("x/2", { count: 3 }), present("y/1", { priority: 5 })] }),
      candidates: ["consumers@0 4", "consumers@5 1"],
    },
    { rule: "none whose lease has run out", facts: queue({ exactPresence: [present("x/1", { leaseUntil: now })] }), candidates: [] },
    {
      rule: "each with a queue of its own for itself",
      facts: queue({ exactPresence: [present("x/1", { ownQueue: "x.1" })], patternPresence: [present("y/1", { ownQueue: "y.1" })] }),
      candidates: ["private:x/1 1", "private:y/1 1"],
    },
    {
      rule: "consumers of the shared queue, whatever selector they declare: who polls it gets all",
      facts: queue({ exactPresence: [present("x/1"), present("declared/0", { count: 2, selector: "n > 1" })] }),
      candidates: ["consumers@0 3"],
    },
    {
      rule: "a link with demand of selectors, as often as it has subscriptions",
      facts: queue({ links: [selective()] }),
      candidates: ["link:a:to-b@0 where kind = 'x' 1", "link:a:to-b@0 where kind = 'y' 2"],
    },
    { rule: "links with demand", facts: queue({ links: [wanted()] }), candidates: ["link:a:to-b@0 1"] },
    {
      rule: "links with demand for a pattern that matches",
      facts: queue({ links: [aLink({ byPattern: [theirs] })] }),
      candidates: ["link:a:to-b@0 1"],
    },
    { rule: "no link whose peer is away", facts: queue({ links: [wanted({ away: true })] }), candidates: [] },
    {
      rule: "but for a static include",
      facts: queue({ links: [aLink({ away: true, connector: aLinkFrom("a", "b", { staticallyIncludedDestinations: ["queue://>"] }) })] }),
      candidates: ["link:a:to-b@0 1"],
    },
    {
      rule: "no link whose peer is being destroyed, static include or not",
      facts: queue({
        links: [
          aLink({ away: true, closed: true, connector: aLinkFrom("a", "b", { staticallyIncludedDestinations: ["queue://>"] }) }),
          wanted({ away: true, closed: true, connector: aLinkFrom("a", "c", { staticallyIncludedDestinations: ["queue://orders"] }) }),
        ],
      }),
      candidates: [],
    },
    {
      rule: "no link that excludes it",
      facts: queue({ links: [wanted({ connector: aLinkFrom("a", "b", { excludedDestinations: ["queue://orders"] }) })] }),
      candidates: [],
    },
  ])("$rule", ({ facts: known, candidates }) => {
    expect(seen(decideDestination(known, false, now).view?.candidates)).toEqual(candidates);
  });
});

describe("a destination that isn't here", () => {
  const absent = { record: undefined };
  const closed = { slice: slice({ brokers: { a: { autoCreateDestinations: [] } } }) };
  test.for([
    { rule: "isn't made for nobody", facts: queue(absent), asked: false, make: false },
    { rule: "is made for a sender", facts: queue(absent), asked: true, make: true },
    { rule: "is made for a consumer", facts: queue({ ...absent, exactPresence: [present("x/1")] }), asked: false, make: true },
    { rule: "is made for a peer's demand", facts: queue({ ...absent, links: [wanted()] }), asked: false, make: true },
    { rule: "isn't made if it may not", facts: queue({ ...absent, ...closed, exactPresence: [present("x/1")] }), asked: true, make: false },
    { rule: "is there already if it is declared", facts: queue(), asked: true, make: false },
    { rule: "is never made if it is FIFO", facts: facts("queue://orders.fifo", absent), asked: true, make: false },
    {
      rule: "is never made for a pattern",
      facts: facts("queue://orders.>", { ...absent, exactPresence: [present("x/1")] }),
      asked: true,
      make: false,
    },
  ])("$rule", ({ facts: known, asked, make }) => {
    expect(decideDestination(known, asked, now).make).toBe(make);
  });

  test("and may not be made has no view and is told to nobody", () => {
    const decision = decideDestination(queue({ ...absent, ...closed, exactPresence: [present("x/1")] }), true, now);
    expect(decision).toEqual({ make: false, ownQueues: [], subscribers: [], view: undefined, publish: [], unfiltered: 0 });
  });
});

describe("what peers read", () => {
  test.for([
    { rule: "our own clients", facts: queue({ exactPresence: [present("x/1"), present("x/2")] }), publish: ["a via  2"] },
    { rule: "what we learnt, with the path it came", facts: queue({ links: [wanted()] }), publish: ["b via b 1"] },
    {
      rule: "a pattern as a pattern",
      facts: facts("queue://o.>", { record: undefined, exactPresence: [present("x/1", { ownQueue: "x.1" })] }),
      publish: ["a via  1"],
    },
    {
      rule: "under a name, nothing that was wanted by pattern: that travels as one",
      facts: queue({ patternPresence: [present("x/1", { ownQueue: "x.1" })], links: [aLink({ byPattern: [theirs] })] }),
      publish: [],
    },
    {
      rule: "a static include of the very name",
      facts: queue({ links: [aLink({ connector: aLinkFrom("a", "b", { staticallyIncludedDestinations: ["queue://orders"] }) })] }),
      publish: ["b via b 1"],
    },
    {
      rule: "nothing with advisorySupport off",
      facts: queue({ slice: slice({ brokers: { a: { advisorySupport: false } } }), exactPresence: [present("x/1")], links: [wanted()] }),
      publish: [],
    },
  ])("$rule", ({ facts: known, publish }) => {
    expect(
      decideDestination(known, false, now).publish.map(({ origin, path, count }) => `${origin} via ${path.join("")} ${count}`),
    ).toEqual(publish);
  });
});

describe("a topic", () => {
  const own = present("x/1", { destination: "topic://prices", ownQueue: "x.1" });
  const target = { to: "own-queue", queue: "x.1" };
  test.for([
    { rule: "has nobody", facts: topic(), subscribers: [], local: false },
    { rule: "has its clients", facts: topic({ exactPresence: [own] }), subscribers: [target], local: true },
    { rule: "has its clients by pattern", facts: topic({ patternPresence: [own] }), subscribers: [target], local: true },
    {
      rule: "has links with demand, which are no local subscribers",
      facts: topic({ links: [wanted()] }),
      subscribers: [{ to: "link", link: "a:to-b" }],
      local: false,
    },
    {
      rule: "that is FIFO feeds its links by one subscription",
      facts: facts("topic://prices.fifo", { links: [wanted(), aLink({ connector: aLinkFrom("a", "c"), byPattern: [theirs] })] }),
      subscribers: [{ to: "feed" }],
      local: false,
    },
    { rule: "that is FIFO feeds nothing that no link wants", facts: facts("topic://prices.fifo"), subscribers: [], local: false },
    {
      rule: "keeps a client whose lease has just run out",
      facts: topic({ exactPresence: [{ ...own, leaseUntil: now }] }),
      subscribers: [target],
      local: true,
    },
    {
      rule: "loses it two minutes later",
      facts: topic({ exactPresence: [{ ...own, leaseUntil: now - 120_000 }] }),
      subscribers: [],
      local: false,
    },
    {
      rule: "has a declared consumer without any subscription of ours",
      facts: topic({ exactPresence: [{ holder: "declared/0", destination: "topic://prices", priority: 0, count: 1 }] }),
      subscribers: [],
      local: true,
    },
  ])("$rule", ({ facts: known, subscribers, local }) => {
    const decision = decideDestination(known, false, now);
    expect([decision.subscribers.map((one) => one.target), decision.view?.localSubscribers]).toEqual([subscribers, local]);
  });
});

describe("whom routing may deliver a topic's messages to without SNS", () => {
  const own = (queue: string) => present(queue, { destination: "topic://prices", ownQueue: queue });
  const listed = { found: 0, lookedAt: 1, since: 1 };
  const known = (fields: Partial<DestinationFacts>) =>
    decideDestination(topic({ discovered: listed, ...fields }), false, now).view?.subscribers;

  test.for([
    { rule: "isn't known until its subscriptions were listed", fields: { discovered: undefined, exactPresence: [own("x.1")] } },
    {
      rule: "clients, each queue once, and links that are started",
      fields: { exactPresence: [own("x.2"), own("x.1")], patternPresence: [own("x.1")] },
      expected: { queues: ["x.1", "x.2"], links: ["a:to-b"], foreign: false },
    },
    {
      rule: "no link that waits for its peer",
      fields: { links: [wanted({ started: false })] },
      expected: { queues: [], links: [], foreign: false },
    },
    {
      rule: "not all, where somebody has no queue of ours",
      fields: { exactPresence: [present("discovered")] },
      expected: { queues: [], links: ["a:to-b"], foreign: true },
    },
  ])("$rule", ({ fields, expected }) => {
    expect(known(fields)).toEqual(expected);
  });

  test("says no more of a crowd than that it is one", () => {
    const crowd = Array.from({ length: 100 }, (_, n) => own(`x.${n}`));
    expect(known({ exactPresence: crowd })?.queues).toHaveLength(13);
  });
});

test("own queues are made for live consumers only", () => {
  const known = queue({ exactPresence: [present("x/1", { ownQueue: "x.1" }), present("y/1", { ownQueue: "y.1", leaseUntil: now })] });
  expect(decideDestination(known, false, now).ownQueues).toEqual(["x.1"]);
});
