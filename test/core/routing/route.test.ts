import { describe, expect, test } from "vitest";
import { destinationOf } from "../../../core/destination/destination.ts";
import { brokerId, linkId } from "../../../core/ids.ts";
import { planFor, routeQueue, routeTopic } from "../../../core/routing/route.ts";
import type { Candidate, DestinationView } from "../../../core/routing/view.ts";
import { aLinkFrom } from "../../support/a-connector.ts";
import { aMessage } from "../../support/a-message.ts";

const connectors = [aLinkFrom("a", "b"), aLinkFrom("a", "c")];
const here: Candidate = { to: "consumers", id: "consumers@0", priority: 0, weight: 1, capacity: 10 };
const mine: Candidate = { to: "private", id: "private:conn/c1", priority: 0, weight: 1, capacity: 10, queue: "conn.c1" };
const to = (broker: string, priority = 0): Candidate => ({
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
  readonly expected: string;
}

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
    { rule: "with its hops spent and nobody here it rests", candidates: [to("b")], path: "z", expected: "rest no-consumer" },
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
    { rule: "negative priorities are priorities", candidates: [to("b", -5), to("c", -8)], expected: "hand-over network-demand" },
  ])("$rule", ({ candidates, path = "", full = [], expected }) => {
    const hasRoom = (level: readonly Candidate[]) => !level.some(({ priority }) => full.includes(priority));
    const route = routeQueue(aMessage({ brokerPath: from(path) }), aView({ candidates }), connectors, hasRoom);
    const said =
      route.route === "share" ? `share ${route.candidates.map(({ id }) => id).join(" ")}` : `${route.plan.plan} ${route.plan.reason}`;
    expect(said).toBe(expected);
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
