import { describe, expect, test } from "vitest";
import { describeConfigWarning } from "../../../core/config/warning.ts";
import { aConnector, aNetwork, networkOf } from "./parse.ts";

const warningsFor = (input: unknown): readonly string[] => networkOf(input).warnings.map(describeConfigWarning);

const parallel = (from: string, to: string, links: string) =>
  `${from} → ${to} has 2 parallel links (${links}): they share a queue's messages, and a topic's cross by one; should one be enough, remove the other (duplex is written on one side only), or divide the destinations between them`;
const loop = (brokers: string) =>
  `${brokers} is a loop that the TTLs allow: a message may reach a broker on two ways; lower networkTTL, or suppress duplicate subscriptions`;

/** Connectors `from -> to`, all with the same settings, each named after its ends. */
const wired = (arrows: readonly string[], settings: object) => {
  const ids = [...new Set(arrows.flatMap((arrow) => arrow.split(" -> ")))];
  const connectorsOf = (id: string) =>
    arrows.flatMap((arrow) =>
      arrow.startsWith(`${id} `) ? [{ name: arrow.replace(" -> ", "-"), to: arrow.split(" -> ")[1], ...settings }] : [],
    );
  return { network: "n", brokers: Object.fromEntries(ids.map((id) => [id, { region: "us-east-1", networkConnectors: connectorsOf(id) }])) };
};

describe("parallel links", () => {
  test("N32 duplex written on both brokers is two links each way", () => {
    const brokers = {
      us: { region: "us-east-1", networkConnectors: [{ name: "us-eu", to: "eu", duplex: true }] },
      eu: { region: "eu-west-1", networkConnectors: [{ name: "eu-us", to: "us", duplex: true }] },
    };
    expect(warningsFor({ network: "n", brokers })).toEqual([
      parallel("us", "eu", "us:us-eu, us:eu-us"),
      parallel("eu", "us", "eu:us-eu, eu:eu-us"),
    ]);
  });

  test.for([
    {
      rule: "are two connectors that include the same",
      a: { dynamic: ["orders.>"] },
      b: { dynamic: ["topic://t", "orders.new"] },
      warned: 1,
    },
    { rule: "are two of which one includes everything", a: {}, b: { dynamic: ["orders.new"] }, warned: 1 },
    { rule: "aren't two that divide the destinations", a: { dynamic: ["orders.>"] }, b: { dynamic: ["topic://orders.>"] }, warned: 0 },
    {
      rule: "aren't two of which one excludes what the other includes",
      a: { excluded: ["orders.>"] },
      b: { dynamic: ["orders.new"] },
      warned: 0,
    },
    { rule: "are two of which one excludes part of that", a: { excluded: ["orders.new"] }, b: { dynamic: ["orders.>"] }, warned: 1 },
    { rule: "isn't a static bridge that includes something else", a: { isStatic: true }, b: { dynamic: ["orders.new"] }, warned: 0 },
  ])("$rule", ({ a, b, warned }) => {
    const lists = [a, b].map(
      ({ dynamic = [], excluded = [], isStatic = false }: { dynamic?: string[]; excluded?: string[]; isStatic?: boolean }) => ({
        dynamicallyIncludedDestinations: dynamic,
        excludedDestinations: excluded,
        staticBridge: isStatic,
      }),
    );
    const connectors = lists.map((list, i) => ({ name: `c${i}`, to: "eu", ...list }));
    expect(warningsFor(aNetwork({ networkConnectors: connectors }))).toHaveLength(warned);
  });

  test("a static include of the same destination counts too", () => {
    const connectors = [
      { name: "a", to: "eu", dynamicallyIncludedDestinations: ["x"], staticallyIncludedDestinations: ["y"] },
      { name: "b", to: "eu", dynamicallyIncludedDestinations: ["y"] },
      { name: "c", to: "eu", dynamicallyIncludedDestinations: ["z"] },
    ];
    expect(warningsFor(aNetwork({ networkConnectors: connectors }))).toEqual([parallel("us", "eu", "us:a, us:b")]);
  });
});

describe("loops", () => {
  const ring = ["a -> b", "b -> c", "c -> a"];
  test.for([
    { rule: "a ring of three with a TTL of 2 is one", arrows: ring, settings: { networkTTL: 2 }, says: [loop("a → b → c → a")] },
    { rule: "so it is without a limit", arrows: ring, settings: { networkTTL: -1 }, says: [loop("a → b → c → a")] },
    { rule: "with a TTL of 1 nothing goes round", arrows: ring, settings: {}, says: [] },
    { rule: "a consumer TTL of 1 stops the demand instead", arrows: ring, settings: { networkTTL: 2, consumerTTL: 1 }, says: [] },
    { rule: "a TTL of 0 forwards nothing", arrows: ring, settings: { messageTTL: 0 }, says: [] },
    { rule: "a duplex pair is no loop", arrows: ["a -> b", "b -> a"], settings: { networkTTL: 9 }, says: [] },
    { rule: "a chain, duplex or not, is none", arrows: ["a -> b", "b -> a", "b -> c", "c -> b"], settings: { networkTTL: 9 }, says: [] },
    { rule: "a ring of four needs a TTL of 3", arrows: ["a -> b", "b -> c", "c -> d", "d -> a"], settings: { networkTTL: 2 }, says: [] },
    {
      rule: "a ring of four with a TTL of 3 is one",
      arrows: ["a -> b", "b -> c", "c -> d", "d -> a"],
      settings: { networkTTL: 3 },
      says: [loop("a → b → c → d → a")],
    },
    {
      rule: "a duplex ring is named once",
      arrows: [...ring, "b -> a", "c -> b", "a -> c"],
      settings: { networkTTL: 2 },
      says: [loop("a → b → c → a")],
    },
  ])("$rule", ({ arrows, settings, says }) => {
    expect(warningsFor(wired(arrows, settings))).toEqual(says);
  });
});

test("a consumer declared on a destination that is being removed is reported, one on another isn't", () => {
  const us = {
    region: "us-east-1",
    queues: [{ name: "old", removed: true }, "new"],
    consumers: [{ destination: "old" }, { destination: "new" }],
  };
  expect(warningsFor({ network: "n", brokers: { us } })).toEqual([
    "us declares a consumer of queue://old, which is being removed: it takes what is left there, but peers don't hear of it; remove the consumer once the destination is empty",
  ]);
});

test("a pattern in a static include is reported with what it includes now", () => {
  const us = { queues: ["orders.new", "prices"], topics: ["orders.eu"] };
  const connector = { to: "eu", staticallyIncludedDestinations: ["queue://orders.>", "prices"] };
  expect(warningsFor(aNetwork({ ...us, networkConnectors: [connector] }))).toEqual([
    "us:NC includes the pattern queue://orders.> statically: whatever exists and matches crosses, wanted or not; declared now: queue://orders.new",
  ]);
  expect(warningsFor(aConnector({ staticallyIncludedDestinations: ["a.*"] }))).toEqual([
    "us:NC includes the pattern queue://a.* statically: whatever exists and matches crosses, wanted or not; declared now: nothing",
  ]);
});

test.for([
  { destinationFilter: "Queue.orders.>", deaf: [] },
  { destinationFilter: ">", deaf: [] },
  { destinationFilter: "*.orders", deaf: [] },
  { destinationFilter: "ActiveMQ.Advisory.Consumer.Queue.a,ActiveMQ.Advisory.Consumer.Topic.>", deaf: [] },
  { destinationFilter: "", deaf: [""] },
  { destinationFilter: "orders.>", deaf: ["orders.>"] },
  { destinationFilter: "Queue.a,Topic.b", deaf: ["Topic.b"] },
])("a destinationFilter is warned of where it hears nothing: $destinationFilter", ({ destinationFilter, deaf }) => {
  const { warnings } = networkOf(aNetwork({ networkConnectors: [{ name: "c", to: "eu", destinationFilter }] }));
  expect(warnings.flatMap((one) => (one.warning === "deaf-filter" ? [one.part] : []))).toEqual(deaf);
});

describe("a JMS bridge to another broker's ingress", () => {
  const bridge = {
    name: "audit",
    source: { broker: "us", destination: "orders" },
    target: { broker: "eu", destination: "audit" },
    qualityOfServiceMode: "ONCE_AND_ONLY_ONCE",
  };
  const carriesNothing = { name: "keys", excludedDestinations: ["queue://>", "topic://>"] };

  test.for([
    { rule: "is warned of where no connector brings its broker's keys there", changed: {}, connector: undefined, warned: true },
    { rule: "isn't where one does, whatever it carries", changed: {}, connector: carriesNothing, warned: false },
    { rule: "nor where doubles are allowed", changed: { qualityOfServiceMode: "DUPLICATES_OK" }, connector: undefined, warned: false },
    { rule: "nor one to its own", changed: { target: { broker: "us", destination: "audit" } }, connector: undefined, warned: false },
    { rule: "nor one to a topic, which has no ingress", changed: { target: { broker: "eu", destination: "topic://a" } }, warned: false },
  ])("$rule", ({ changed, connector, warned }) => {
    const jmsBridges = [{ ...bridge, ...changed }];
    const warnings = warningsFor(connector ? aConnector(connector, { jmsBridges }) : aNetwork({}, { jmsBridges }));
    expect(warnings).toEqual(warned ? [expect.stringContaining("jmsBridges audit ends at eu, to which us has no connector")] : []);
  });
});
