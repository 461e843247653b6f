import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { aConnector, aNetwork, networkOf } from "./parse.ts";
import { someConnector } from "./some-network.ts";

test.for([
  { rule: "flat", policy: { replayWhenNoConsumers: true, replayDelay: 500 } },
  {
    rule: "as the manual nests them",
    policy: { conditionalNetworkBridgeFilterFactory: { replayWhenNoConsumers: true, replayDelay: 500 } },
  },
  {
    rule: "mixed: what is nested counts",
    policy: { replayWhenNoConsumers: true, replayDelay: 1, conditionalNetworkBridgeFilterFactory: { replayDelay: 500 } },
  },
])("a policy's conditional filter may be written $rule", ({ policy }) => {
  const { brokers } = networkOf(aNetwork({ destinationPolicies: [{ destination: "orders.>", ...policy }] }));
  expect(brokers[0]?.destinationPolicies).toEqual([
    {
      destination: "queue://orders.>",
      enableAudit: true,
      replayWhenNoConsumers: true,
      replayDelay: 500,
      selectorAware: false,
      rateLimit: 0,
      rateDuration: 1_000,
      useConsumerPriority: true,
      strictOrderDispatch: false,
      expireMessagesPeriod: 30_000,
    },
  ]);
});

test("C10 a connector that says only where it leads has the manual's defaults", () => {
  expect(networkOf(aConnector({})).connectors).toEqual([
    {
      link: "us:NC",
      name: "NC",
      from: "us",
      to: "eu",
      messageTTL: 1,
      consumerTTL: 1,
      conduitSubscriptions: true,
      conduitNetworkQueueSubscriptions: false,
      conduitSelectors: "union",
      decreaseNetworkConsumerPriority: false,
      consumerPriorityBase: -5,
      suppressDuplicateQueueSubscriptions: false,
      suppressDuplicateTopicSubscriptions: true,
      prefetchSize: 1_000,
      dynamicallyIncludedDestinations: [],
      staticallyIncludedDestinations: [],
      excludedDestinations: [],
      dynamicOnly: false,
      syncDurableSubs: false,
      staticBridge: false,
      autoStart: true,
    },
  ]);
});

test("an included topic that shall be durable is one without the option, and named apart", () => {
  const [connector] = networkOf(
    aConnector({
      dynamicallyIncludedDestinations: ["topic://a?forceDurable=true", "topic://b?forceDurable=false"],
      staticallyIncludedDestinations: ["topic://c?forceDurable=true"],
    }),
  ).connectors;
  expect(connector).toMatchObject({
    dynamicallyIncludedDestinations: ["topic://a", "topic://b"],
    staticallyIncludedDestinations: ["topic://c"],
    forceDurable: ["topic://a", "topic://c"],
  });
});

test("a broker that says only its region has the defaults", () => {
  expect(networkOf(aNetwork()).brokers[0]).toEqual({
    id: "us",
    region: "us-east-1",
    account: "123456789012",
    queues: [],
    topics: [],
    consumers: [],
    advisorySupport: true,
    autoCreateDestinations: "permitted",
    subscriptionGrace: 15,
    peerLease: 3600,
    removalPolicy: "retain",
    destinationPolicies: [],
  });
});

describe("networkTTL sets both TTLs", () => {
  test.for([
    { rule: "where neither is set", written: { networkTTL: 3 }, messageTTL: 3, consumerTTL: 3 },
    {
      rule: "but not one that is set itself, whatever the order",
      written: { messageTTL: -1, networkTTL: 3 },
      messageTTL: -1,
      consumerTTL: 3,
    },
    { rule: "and a TTL of 0 is no missing one", written: { networkTTL: 3, consumerTTL: 0 }, messageTTL: 3, consumerTTL: 0 },
  ])("$rule", ({ written, messageTTL, consumerTTL }) => {
    expect(networkOf(aConnector(written)).connectors[0]).toMatchObject({ messageTTL, consumerTTL });
  });
});

test("a duplex connector is the same connector on either broker", () => {
  fc.assert(
    fc.property(someConnector, (connector) => {
      const { connectors: duplex } = networkOf(aConnector({ ...connector, to: "eu", duplex: true }));
      const brokers = {
        us: { region: "us-east-1", networkConnectors: [{ ...connector, to: "eu" }] },
        eu: { region: "eu-west-1", networkConnectors: [{ ...connector, to: "us" }] },
      };
      expect(duplex).toEqual(networkOf({ network: "orders", brokers }).connectors);
    }),
  );
});

describe("a link is a connector with all defaults", () => {
  test.for([
    { rule: "one way", links: ["eu -> ap"], same: [["eu", { name: "eu-ap", to: "ap" }]] },
    { rule: "both ways", links: ["eu <-> ap"], same: [["eu", { name: "eu-ap", to: "ap", duplex: true }]] },
    { rule: "without spaces", links: ["eu<->ap"], same: [["eu", { name: "eu-ap", to: "ap", duplex: true }]] },
    {
      rule: "each in its own right",
      links: ["eu -> ap", "ap -> eu"],
      same: [
        ["eu", { name: "eu-ap", to: "ap" }],
        ["ap", { name: "ap-eu", to: "eu" }],
      ],
    },
  ] as const)("$rule", ({ links, same }) => {
    const inFull = aNetwork();
    const brokers = Object.fromEntries(
      Object.entries(inFull.brokers).map(([id, broker]) => [
        id,
        { ...broker, networkConnectors: same.filter(([owner]) => owner === id).map(([, connector]) => connector) },
      ]),
    );
    expect(networkOf(aNetwork({}, { links })).connectors).toEqual(networkOf({ ...inFull, brokers }).connectors);
  });
});

test("destinations are written one way: with their kind, without spaces", () => {
  const written = [" orders.> ", "topic://prices", "queue://a"];
  expect(networkOf(aConnector({ excludedDestinations: written })).connectors[0]?.excludedDestinations).toEqual([
    "queue://orders.>",
    "topic://prices",
    "queue://a",
  ]);
});

test("a declared consumer declares its destination, once", () => {
  const us = networkOf(
    aNetwork({
      queues: ["queue://a", "b"],
      consumers: [{ destination: "b", count: 2 }, { destination: "queue://c" }, { destination: "topic://t", priority: 3 }],
    }),
  ).brokers[0];
  expect(us).toMatchObject({
    queues: ["a", "b", "c"],
    topics: ["t"],
    consumers: [
      { destination: "queue://b", count: 2, priority: 0 },
      { destination: "queue://c", count: 1, priority: 0 },
      { destination: "topic://t", count: 1, priority: 3 },
    ],
  });
});

test("what is removed is declared as before, and named besides", () => {
  const input = aConnector({ removed: true });
  const us = { ...input.brokers.us, queues: ["a", { name: "b", removed: true }, { name: "c" }], topics: [{ name: "t", removed: true }] };
  const { brokers, connectors } = networkOf({ ...input, brokers: { ...input.brokers, us } });
  expect(brokers[0]).toMatchObject({ queues: ["a", "b", "c"], topics: ["t"], removedDestinations: ["queue://b", "topic://t"] });
  expect(connectors[0]).toMatchObject({ link: "us:NC", removed: true });
});

test("a topic that only clients of ours publish on is declared as any other, and named besides", () => {
  const topics = [
    "t",
    { name: "prices", producers: "spanmq" },
    { name: "news", producers: "any" },
    { name: "topic://x", producers: "spanmq" },
  ];
  const [broker] = networkOf(aNetwork({ topics })).brokers;
  expect(broker).toMatchObject({ topics: ["t", "prices", "news", "x"], spanmqTopics: ["prices", "x"] });
});

test("an account that a broker names is its own", () => {
  expect(networkOf(aNetwork({ account: "999999999999" })).brokers.map(({ account }) => account)).toEqual([
    "999999999999",
    "123456789012",
    "123456789012",
  ]);
});

describe("a connector has an ordered way", () => {
  test.for([
    { rule: "where it permits a FIFO destination that some broker declares", declared: "orders.fifo", connector: {}, fifo: true },
    { rule: "not without one", declared: "orders", connector: {}, fifo: undefined },
    {
      rule: "not for one that it doesn't permit",
      declared: "orders.fifo",
      connector: { excludedDestinations: ["queue://orders.>"] },
      fifo: undefined,
    },
  ])("$rule", ({ declared, connector, fifo }) => {
    const input = aConnector(connector);
    const brokers = { ...input.brokers, eu: { ...input.brokers.eu, queues: [declared] } };
    expect(networkOf({ ...input, brokers }).connectors[0]?.fifo).toBe(fifo);
  });
});
