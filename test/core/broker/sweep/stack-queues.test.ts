import { describe, expect, test } from "vitest";
import { goneQueues, stackQueues } from "../../../../core/broker/sweep/stack-queues.ts";
import type { NetworkInput } from "../../../../core/config/define-network.ts";
import { addressesOf } from "../../../../core/destination/addresses.ts";
import { brokerId } from "../../../../core/ids.ts";
import { sliceOf } from "../../../support/a-slice.ts";
import { sha256 } from "../../../support/hash.ts";
import { type Connector, networkOf } from "../../../support/simulator/topologies.ts";

const own = addressesOf("test", { id: brokerId("a"), region: "eu-west-1", account: "000000000000" }, sha256);
const sliceAt = (ways: string, broker: object = {}, connector: Connector = {}) =>
  sliceOf(networkOf(ways, connector, { brokers: { a: broker } }), "a");

describe("the queues of a's stack", () => {
  test("that feed dispatch are ingress, the feed of topics and the inbounds of links that end here; messages rest in dead letters, undelivered and declared queues", () => {
    const slice = sliceAt("a <-> b, b <-> c, c -> a", {
      queues: ["orders.new"],
      topics: ["prices"],
      consumers: [{ destination: "audit" }],
    });
    expect(stackQueues(slice, own)).toEqual({
      fed: ["spanmq-test-a-sys-ingress", "spanmq-test-a-sys-feed", "spanmq-test-a-in-b-to_-a", "spanmq-test-a-in-c-to_-a"],
      resting: [
        "spanmq-test-a-sys-dead-letters",
        "spanmq-test-a-sys-undelivered-to_-b",
        "spanmq-test-a-q-orders-new",
        "spanmq-test-a-q-audit",
      ],
    });
  });
});

describe("FIFO destinations", () => {
  const [door, letters] = ["spanmq-test-a-sys-ingress.fifo", "spanmq-test-a-sys-dead-letters.fifo"];

  test.for([
    {
      rule: "that may cross have doors, dead letters and a second way of each link",
      slice: sliceAt("a <-> b", { queues: ["orders.fifo"], topics: ["prices.fifo"] }),
      fed: [door, "spanmq-test-a-sys-feed.fifo", "spanmq-test-a-in-b-to_-a.fifo"],
      resting: [letters, "spanmq-test-a-sys-undelivered-to_-b.fifo", "spanmq-test-a-q-orders.fifo"],
    },
    {
      rule: "that no link permits have a door",
      slice: sliceAt("a <-> b", { topics: ["prices.fifo"] }, { excludedDestinations: ["topic://>"] }),
      fed: [door],
      resting: [letters],
    },
    { rule: "that aren't there have nothing", slice: sliceAt("a <-> b", { queues: ["orders"], topics: ["prices"] }), fed: [], resting: [] },
  ])("$rule", ({ slice, fed, resting }) => {
    const ordered = (queues: readonly string[]) => queues.filter((queue) => queue.endsWith(".fifo"));
    const has = stackQueues(slice, own);
    expect([ordered(has.fed), ordered(has.resting)]).toEqual([fed, resting]);
  });
});

test("a JMS bridge has what it parked where it runs, and the end of its subscription if it reads a topic", () => {
  const bridge = { source: { broker: "a", destination: "topic://prices" }, target: { broker: "b", destination: "p" } };
  const network: NetworkInput = {
    ...networkOf("a <-> b"),
    jmsBridges: [{ name: "p", qualityOfServiceMode: "DUPLICATES_OK", ...bridge }],
  };
  const { fed, resting } = stackQueues(sliceOf(network, "a"), own);
  expect([fed, resting]).toEqual([
    expect.arrayContaining(["spanmq-test-a-s-bridge-p"]),
    expect.arrayContaining(["spanmq-test-a-sys-bridge-p-undelivered"]),
  ]);
});

describe("the queues that a deployment deletes", () => {
  const rich = sliceAt("a <-> b, a <-> c", { queues: ["one", "two"], consumers: [{ destination: "queue://three" }] });

  test.for([
    { rule: "none if nothing changed", after: rich, fed: [], resting: [] },
    {
      rule: "none if something came",
      after: sliceAt("a <-> b, a <-> c, a <-> d", { queues: ["one", "two", "three", "four"] }),
      fed: [],
      resting: [],
    },
    {
      rule: "both ends of a connector that left",
      after: sliceAt("a <-> b, b <-> c", { queues: ["one", "two", "three"] }),
      fed: ["spanmq-test-a-in-c-to_-a"],
      resting: ["spanmq-test-a-sys-undelivered-to_-c"],
    },
    {
      rule: "one way of a connector that left",
      after: sliceAt("a <-> b, a -> c", { queues: ["one", "two", "three"] }),
      fed: ["spanmq-test-a-in-c-to_-a"],
      resting: [],
    },
    {
      rule: "declared queues that left, the one of a declared consumer too",
      after: sliceAt("a <-> b, a <-> c", { queues: ["one"] }),
      fed: [],
      resting: ["spanmq-test-a-q-two", "spanmq-test-a-q-three"],
    },
  ])("$rule", ({ after, fed, resting }) => {
    expect(goneQueues(rich, after, own)).toEqual({ fed, resting });
  });
});
