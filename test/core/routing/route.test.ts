import { describe, expect, test } from "vitest";
import { destinationOf } from "../../../core/destination/destination.ts";
import { brokerId, linkId } from "../../../core/ids.ts";
import { noReplay, replayOf } from "../../../core/routing/replay.ts";
import { planFor, type Route, routeAround, routeQueue, routeTopic } from "../../../core/routing/route.ts";
import type { Candidate, DestinationView, LinkCandidate } from "../../../core/routing/view.ts";
import { aLinkFrom } from "../../support/a-connector.ts";
import { aMessage } from "../../support/a-message.ts";

const connectors = [aLinkFrom("a", "b"), aLinkFrom("a", "c")];
const here: Candidate = { to: "consumers", id: "consumers@0", priority: 0, weight: 1, capacity: 10 };
const mine: Candidate = { to: "private", id: "private:conn/c1", priority: 0, weight: 1, capacity: 10, queue: "conn.c1" };
const to = (broker: string, priority = 0): LinkCandidate => ({
  to: "link",
  id: `link:a:to-${broker}@${priority}`,
  priority,
  weight: 1,
  link: linkId(brokerId("a"), `to-${broker}`),
});
const aView = (fields: Partial<DestinationView> = {}): DestinationView => ({
  destination: destinationOf("queue://orders"),
  candidates: [],
  localSubscribers: false,
  readyAt: 0,
  changedAt: 0,
  ...fields,
});
const from = (path: string) => path.split("").map(brokerId);

interface QueueCase {
  readonly rule: string;
  readonly candidates: readonly Candidate[];
  readonly path?: string;
  /** Priorities without room. */
  readonly full?: readonly number[];
  /** Brokers whose links take no more until 2,000 or 3,000. */
  readonly spent?: readonly string[];
  readonly expected: string;
}

const saidOf = (route: Route): string => {
  if (route.route === "share") return `share ${route.candidates.map(({ id }) => id).join(" ")}`;
  const { plan } = route;
  return [plan.plan, plan.reason, plan.plan === "rest" ? (plan.until ?? "") : ""].join(" ").trim();
};

describe("routeQueue at a", () => {
  test.for<QueueCase>([
    { rule: "without candidate it rests", candidates: [], expected: "rest no-consumer" },
    { rule: "a single candidate gets it: no share is taken", candidates: [here], expected: "hand-over local-consumers" },
    { rule: "several of one priority share it", candidates: [here, to("b")], expected: "share consumers@0 link:a:to-b@0" },
    { rule: "QUE-4: a higher priority gets all", candidates: [here, to("b", 5)], expected: "hand-over network-demand" },
    { rule: "QUE-4: a lower one gets none", candidates: [here, to("b", -5)], expected: "hand-over local-consumers" },
    {
      rule: "a link on the message's path is no candidate, so the next priority has its turn",
      candidates: [here, to("b", 5)],
      path: "b",
      expected: "hand-over local-consumers",
    },
    {
      rule: "TTL-2: with its hops spent it stays here",
      candidates: [here, to("b", 5), to("c", 5)],
      path: "z",
      expected: "hand-over local-consumers",
    },
    { rule: "with its hops spent and nobody here it rests, and says so", candidates: [to("b")], path: "z", expected: "rest ttl-spent" },
    { rule: "a link that the configuration lost is no candidate", candidates: [to("z")], expected: "rest no-consumer" },
    {
      rule: "QUE-4: a full priority lets the next one have some",
      candidates: [mine, to("b", -5)],
      full: [0],
      expected: "hand-over network-demand",
    },
    {
      rule: "if all are full the highest gets it nevertheless",
      candidates: [mine, to("b", -5)],
      full: [0, -5],
      expected: "hand-over private-queue",
    },
    { rule: "REP-4: a link whose window is spent has it wait", candidates: [to("b")], spent: ["b"], expected: "rest rate-limit 2000" },
    { rule: "REP-4: for the first of several", candidates: [to("c"), to("b")], spent: ["b", "c"], expected: "rest rate-limit 2000" },
    { rule: "REP-4: or leaves it to its equal", candidates: [here, to("b")], spent: ["b"], expected: "hand-over local-consumers" },
    { rule: "REP-4: or to a lower priority", candidates: [to("b", 5), to("c")], spent: ["b"], expected: "hand-over network-demand" },
    {
      rule: "a link that it may not cross is nothing to wait for",
      candidates: [to("b")],
      path: "b",
      spent: ["b"],
      expected: "rest already-visited",
    },
    {
      rule: "N01: where it came from is no place to go, and it says so",
      candidates: [to("b")],
      path: "b",
      expected: "rest already-visited",
    },
    { rule: "negative priorities are priorities", candidates: [to("b", -5), to("c", -8)], expected: "hand-over network-demand" },
  ])("$rule", ({ candidates, path = "", full = [], spent: takesNoMore = [], expected }) => {
    const spent = new Map(takesNoMore.map((broker, index) => [linkId(brokerId("a"), `to-${broker}`), 2_000 + 1_000 * index]));
    const hasRoom = (level: readonly Candidate[]) => !level.some(({ priority }) => full.includes(priority));
    const route = routeQueue(aMessage({ brokerPath: from(path) }), aView({ candidates }), { connectors, hasRoom, spent });
    expect(saidOf(route)).toBe(expected);
  });
});

describe("routeQueue at a, back to a broker on the path", () => {
  const replay = { replayWhenNoConsumers: true, replayDelay: 500 };
  test.for([
    { rule: "REP-1: when the delay is over", candidates: [to("b")], hereSince: 500, expected: "hand-over b" },
    { rule: "REP-1: not before", candidates: [to("b")], hereSince: 501, expected: "rest replay-delay 1001" },
    { rule: "somebody elsewhere needn't wait", candidates: [to("b"), to("c", -5)], hereSince: 501, ttl: 2, expected: "hand-over c" },
    {
      rule: "nor is it sent back where somebody else wants it",
      candidates: [to("b"), to("c")],
      hereSince: 0,
      ttl: 2,
      expected: "hand-over c",
    },
    {
      rule: "nor to where a static include alone asks for it",
      candidates: [{ ...to("b"), isStatic: true as const }],
      hereSince: 0,
      expected: "rest already-visited",
    },
    { rule: "it goes to whom it left longest ago", path: "cb", candidates: [to("b"), to("c")], hereSince: 0, expected: "hand-over c" },
    {
      rule: "REP-2: not while a consumer is here, of any priority",
      candidates: [here, to("b", 5)],
      hereSince: 0,
      expected: "hand-over here",
    },
    { rule: "nor with one that has a queue of its own", candidates: [mine, to("b", 5)], hereSince: 0, expected: "hand-over here" },
    {
      rule: "a link whose breaker is open waits for that",
      candidates: [to("b")],
      hereSince: 501,
      open: "b",
      expected: "rest breaker-open",
    },
    {
      rule: "another link's breaker doesn't hide the delay",
      candidates: [to("b"), to("c")],
      hereSince: 501,
      open: "c",
      expected: "rest replay-delay 1001",
    },
  ])("$rule", ({ path = "b", candidates, hereSince, ttl = 1, open, expected }) => {
    const message = aMessage({ brokerPath: from(path) });
    const breakers = open === undefined ? [] : [linkId(brokerId("a"), `to-${open}`)];
    const links = connectors.map((connector) => ({ ...connector, messageTTL: ttl }));
    const context = replayOf(replay, message, { candidates }, hereSince, 1_000);
    const route = routeAround(breakers, message, aView({ candidates }), { connectors: links, hasRoom: () => true, replay: context });
    const plan = route.route === "plan" ? route.plan : undefined;
    const where = plan?.plan === "hand-over" && plan.target.to === "link" ? plan.target.link.slice(-1) : "here";
    const said = plan?.plan === "rest" ? `rest ${plan.reason} ${plan.until ?? ""}`.trim() : `hand-over ${where}`;
    expect(said).toBe(expected);
  });

  test("REP-3: topics never", () => {
    const message = aMessage({ destination: destinationOf("topic://prices"), brokerPath: from("b") });
    expect(replayOf(replay, message, { candidates: [to("b")] }, 0, 1_000)).toBe(noReplay);
  });

  test("nor without the policy", () => {
    expect(replayOf({ ...replay, replayWhenNoConsumers: false }, aMessage(), { candidates: [to("b")] }, 0, 1_000)).toBe(noReplay);
  });
});

describe("routeTopic at a", () => {
  test.for([
    {
      rule: "a copy waits until a new topic's subscriptions are effective",
      view: { readyAt: 1_001, localSubscribers: true },
      expected: "later not-ready",
    },
    { rule: "with subscribers here it is published", view: { localSubscribers: true }, expected: "hand-over local-subscribers" },
    { rule: "for onward links it is published", view: { candidates: [to("b")] }, path: "", expected: "hand-over network-demand" },
    {
      rule: "if every onward link is on its path it crossed in vain",
      view: { candidates: [to("b")] },
      path: "b",
      expected: "drop crossed-in-vain",
    },
    { rule: "TTL-2: nor does it go on with its hops spent", view: { candidates: [to("b")] }, path: "z", expected: "drop crossed-in-vain" },
    { rule: "from a producer, with nobody listening", view: {}, path: "", expected: "drop no-subscriber" },
  ])("$rule", ({ view, path = "b", expected }) => {
    const prices = destinationOf("topic://prices");
    const plan = routeTopic(
      aMessage({ destination: prices, brokerPath: from(path) }),
      aView({ destination: prices, ...view }),
      connectors,
      1_000,
    );
    expect(`${plan.plan} ${plan.reason}`).toBe(expected);
  });
});

test.for([
  { rule: "consumers: the queue itself", candidate: here, target: { to: "queue", destination: destinationOf("queue://orders") } },
  { rule: "a consumer with a queue of its own: that", candidate: mine, target: { to: "private", queue: "conn.c1" } },
  { rule: "a link: its inbound", candidate: to("b"), target: { to: "link", link: "a:to-b" } },
])("planFor $rule", ({ candidate, target }) => {
  expect(planFor(candidate, aView())).toMatchObject({ plan: "hand-over", target });
});
