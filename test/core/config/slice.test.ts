import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { Network } from "../../../core/config/network.ts";
import { sharedPart, sliceFor } from "../../../core/config/slice.ts";
import { brokerId } from "../../../core/ids.ts";
import { aConnector, aNetwork, networkOf } from "./parse.ts";
import { someConnector } from "./some-network.ts";

const us = brokerId("us");
const sharedBy = (network: Network, broker = us): string => sharedPart(sliceFor(network, broker));

test("a slice has the broker's own settings and what all brokers share", () => {
  const network = networkOf(aConnector({ duplex: true }, { links: ["eu -> ap"] }));
  expect(sliceFor(network, brokerId("eu"))).toEqual({
    network: "orders",
    broker: "eu",
    brokers: [
      { id: "us", region: "us-east-1", account: "123456789012" },
      { id: "eu", region: "eu-west-1", account: "123456789012" },
      { id: "ap", region: "ap-southeast-2", account: "123456789012" },
    ],
    connectors: network.connectors,
    queues: [],
    topics: [],
    consumers: [],
    advisorySupport: true,
    autoCreateDestinations: "permitted",
    subscriptionGrace: 15,
    peerLease: 3600,
    removalPolicy: "retain",
    destinationPolicies: [],
    jmsBridges: [],
  });
});

test("a slice for a broker that isn't there is the caller's mistake, said in words", () => {
  expect(() => sliceFor(networkOf(aNetwork()), brokerId("sa"))).toThrow("network orders has no broker sa: it has us, eu, ap");
});

test("all brokers of a network have the same shared part", () => {
  const network = networkOf(aConnector({ duplex: true }));
  expect(new Set(network.brokers.map(({ id }) => sharedBy(network, id)))).toHaveLength(1);
});

test("N40 the shared part doesn't depend on the order of connectors, brokers, keys or list entries", () => {
  const shuffled = fc
    .uniqueArray(someConnector, { selector: ({ name }) => name ?? "NC", minLength: 2, maxLength: 5 })
    .chain((connectors) => fc.tuple(fc.constant(connectors), fc.shuffledSubarray(connectors, { minLength: connectors.length })));
  fc.assert(
    fc.property(shuffled, ([connectors, others]) => {
      const one = aNetwork({ networkConnectors: connectors.map((connector) => ({ ...connector, to: "eu" })) });
      const other = aNetwork({ networkConnectors: others.map((connector) => ({ to: "eu", ...reversed(connector) })) });
      expect(sharedBy(networkOf({ ...other, brokers: reversed(other.brokers) }))).toBe(sharedBy(networkOf(one)));
    }),
  );
});

/** The same object, keys and lists the other way round. */
const reversed = (object: object): object =>
  Object.fromEntries(
    Object.entries(object)
      .toReversed()
      .map(([key, value]) => [key, Array.isArray(value) ? value.toReversed() : value]),
  );

describe("the shared part tells configurations apart", () => {
  test.for([
    { rule: "by a connector's setting", other: aConnector({ conduitSubscriptions: false }) },
    { rule: "by a connector's list", other: aConnector({ excludedDestinations: ["a"] }) },
    { rule: "by one connector more", other: aConnector({}, { links: ["eu -> ap"] }) },
    { rule: "by a region", other: aConnector({}, { brokers: { ...aConnector({}).brokers, ap: { region: "sa-east-1" } } }) },
    {
      rule: "by an account",
      other: { ...aConnector({}), brokers: { ...aConnector({}).brokers, ap: { region: "ap-southeast-2", account: "9".repeat(12) } } },
    },
  ])("$rule", ({ other }) => {
    expect(sharedBy(networkOf(other))).not.toBe(sharedBy(networkOf(aConnector({}))));
  });

  test("but not by what is a broker's own", () => {
    const own = aNetwork({ networkConnectors: [{ to: "eu" }], queues: ["a"], peerLease: 600 });
    expect(sharedBy(networkOf(own))).toBe(sharedBy(networkOf(aConnector({}))));
  });
});
