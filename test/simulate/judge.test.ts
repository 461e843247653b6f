import { beforeAll, describe, expect, test } from "vitest";
import { brokerId, linkId } from "../../core/ids.ts";
import type { History } from "./history.ts";
import { play } from "./play.ts";
import type { Copy, Left, Played, Received } from "./played.ts";
import { brokenLaws, laws } from "./verdict.ts";

const settings = { networkTTL: 2, excludedDestinations: ["queue://local"] };
/** a <-> b <-> c; a queue is consumed at c, a topic at b and c. */
const history: History = {
  seed: 1,
  network: {
    network: "test",
    brokers: {
      a: {
        region: "eu-west-1",
        destinationPolicies: [{ destination: "queue://slow", rateLimit: 2 }],
        networkConnectors: [{ name: "a-b", to: "b", duplex: true, ...settings }],
      },
      b: { region: "eu-west-1", networkConnectors: [{ name: "b-c", to: "c", duplex: true, ...settings }] },
      c: { region: "eu-west-1" },
    },
  },
  faults: [],
  faultsFromTheStart: false,
  subscriptionLagMs: 0,
  before: [
    { step: "consume", who: "reader", at: "c", destination: "queue://q" },
    { step: "consume", who: "choosy", at: "c", destination: "queue://q.choosy", selector: "color = 'red'" },
    { step: "consume", who: "near", at: "b", destination: "topic://t" },
    { step: "consume", who: "kept", at: "c", destination: "topic://t", durable: true },
    { step: "consume", who: "far", at: "c", destination: "topic://t" },
  ],
  steps: [
    { step: "leave", who: "kept" },
    { step: "send", at: "a", destination: "queue://q", count: 1 },
    { step: "send", at: "a", destination: "topic://t", count: 1 },
  ],
  quietSends: [
    { at: "a", destination: "queue://q" },
    { at: "a", destination: "topic://t" },
  ],
};

let played: Played;
beforeAll(async () => {
  played = (await play(history)).played;
});

const queued = { body: "m9", destination: "queue://q", at: "c", path: ["a", "b"], about: {} } satisfies Copy;
const sentOf = (copy: Copy) => ({
  body: copy.body,
  at: copy.path[0] ?? copy.at,
  destination: copy.destination,
  about: copy.about,
  isQuiet: false,
});
const withReceived =
  (copy: Copy, who = "reader") =>
  (honest: Played): Played => {
    const received: Received = { ...copy, who };
    return { ...honest, sent: [...honest.sent, sentOf(copy)], received: [...honest.received, received] };
  };
const withLeft =
  (copy: Left) =>
  (honest: Played): Played => ({ ...honest, sent: [...honest.sent, sentOf(copy)], left: [...honest.left, copy] });
const without =
  (isGone: (copy: Received) => boolean) =>
  (honest: Played): Played => ({ ...honest, received: honest.received.filter((copy) => !isGone(copy)) });
const found =
  (change: Partial<Played["found"]>) =>
  (honest: Played): Played => ({ ...honest, found: { ...honest.found, ...change } });

test("an honest history breaks no law", () => {
  expect(brokenLaws(played)).toEqual([]);
});

/** What a ledger that was doctored so is caught at. */
const doctored: readonly { readonly law: string; readonly doctor: (honest: Played) => Played }[] = [
  { law: "no queue's message is lost", doctor: without(({ destination }) => destination === "queue://q") },
  { law: "no topic's message is lost to a subscriber who was always there", doctor: without(({ who }) => who === "far") },
  { law: "a durable subscription misses nothing, whether or not its client is there", doctor: without(({ who }) => who === "kept") },
  { law: "nothing doubles", doctor: (honest) => ({ ...honest, received: [...honest.received, ...honest.received] }) },
  { law: "no queue holds what somebody present would take", doctor: withLeft({ ...queued, place: "queue" }) },
  {
    law: "when quiet, a topic's message comes to whom demand says and nobody else",
    doctor: (honest) => ({
      ...honest,
      received: honest.received.flatMap((one) => (one.destination === "topic://t" ? [one, { ...one, who: "stranger" }] : [one])),
    }),
  },
  {
    law: "what keeps order comes to each in the order in which it was sent",
    doctor: (honest) => ({
      ...honest,
      sent: honest.sent.map((one) => ({ ...one, series: "one" })),
      received: honest.received.toReversed(),
    }),
  },
  {
    law: "nobody gets what its selector refuses, or its own connection published",
    doctor: withReceived({ ...queued, about: { color: "blue" } }, "choosy"),
  },
  { law: "nothing crosses where no connector permits it", doctor: withReceived({ ...queued, destination: "queue://local" }) },
  { law: "nothing comes to another broker without demand there", doctor: withReceived({ ...queued, destination: "queue://nobody" }) },
  { law: "no broker stands twice on a path but by a replay", doctor: withReceived({ ...queued, path: ["a", "b", "a", "b"] }) },
  {
    law: "no message takes more hops than its connectors allow",
    doctor: (honest) => ({
      ...honest,
      pictures: [
        ...honest.pictures.slice(0, -1),
        { ...honest.pictures[honest.pictures.length - 1], ways: honest.pictures[0].ways.map((way) => ({ ...way, messageTTL: 1 })) },
      ] as unknown as Played["pictures"],
    }),
  },
  {
    law: "when quiet, the highest priority gets a queue's message",
    doctor: (honest) => ({
      ...honest,
      received: honest.received.map((one) => (one.who === "reader" ? { ...one, at: "b", path: ["a"] } : one)),
    }),
  },
  {
    law: "no link takes more of a destination than its rate",
    doctor: (honest) => ({
      ...honest,
      crossings: Array.from({ length: 5 }, () => ({
        link: linkId(brokerId("a"), "a-b"),
        from: brokerId("a"),
        destination: "queue://slow",
        at: 0,
      })),
    }),
  },
  { law: "when quiet, brokers tell their peers what consumers justify", doctor: found({ told: [] }) },
  { law: "when quiet, brokers have learnt what their peers tell", doctor: found({ learnt: [] }) },
  { law: "when quiet, routing sees the demand that consumers justify", doctor: found({ views: [] }) },
  {
    law: "when quiet, topics have the subscriptions that consumers justify",
    doctor: (honest) => found({ subscribed: honest.found.subscribed.map((one) => ({ ...one, ends: ["somebody"] })) })(honest),
  },
  { law: "when quiet, brokers have nothing to tell", doctor: (honest) => ({ ...honest, hints: 1 }) },
];

describe("a doctored history breaks the law that", () => {
  test.for(doctored)("$law", ({ law, doctor }) => {
    expect(brokenLaws(doctor(played)).map((one) => one.law)).toContain(law);
  });

  test("each law is shown to fire", () => {
    expect(doctored.map(({ law }) => law).toSorted()).toEqual(laws.map(({ law }) => law).toSorted());
  });
});
