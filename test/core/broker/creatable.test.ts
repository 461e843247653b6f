import { describe, expect, test } from "vitest";
import { mayComeToBe, mayCreate } from "../../../core/broker/creatable.ts";
import type { NetworkInput } from "../../../core/config/define-network.ts";
import { destinationOf } from "../../../core/destination/destination.ts";
import { sliceOf } from "../../support/a-slice.ts";
import { networkOf } from "../../support/simulator/topologies.ts";

const lists = { dynamicallyIncludedDestinations: ["queue://orders.>"] };
const given = (autoCreateDestinations: string[]) => networkOf("a -> b", {}, { brokers: { a: { autoCreateDestinations } } });

describe("mayCreate", () => {
  interface Creating {
    readonly rule: string;
    readonly network: NetworkInput;
    readonly at?: string;
    readonly asked: string;
    readonly may: boolean;
  }
  test.for<Creating>([
    { rule: "what a connector from here permits", network: networkOf("a -> b", lists), asked: "queue://orders.new", may: true },
    { rule: "what a connector to here permits", network: networkOf("a -> b", lists), at: "b", asked: "queue://orders.new", may: true },
    { rule: "not what none permits", network: networkOf("a -> b", lists), asked: "queue://local", may: false },
    { rule: "not a composite, which is several", network: networkOf("a -> b"), asked: "queue://a,b", may: false },
    {
      rule: "not what only a connector of others permits",
      network: networkOf("a -> b, c -> d", lists, { connectors: { "c d": { dynamicallyIncludedDestinations: ["queue://x"] } } }),
      asked: "queue://x",
      may: false,
    },
    { rule: "anything where a connector has no lists", network: networkOf("a -> b"), asked: "topic://anything", may: true },
    { rule: "what its own list names, whatever connectors permit", network: given(["queue://x.>"]), asked: "queue://x.y", may: true },
    { rule: "nothing else then", network: given(["queue://x.>"]), asked: "queue://orders", may: false },
    { rule: "nothing at all with an empty list", network: given([]), asked: "queue://orders", may: false },
    { rule: "never a pattern", network: networkOf("a -> b"), asked: "queue://orders.>", may: false },
    { rule: "never a FIFO destination, which is declared", network: given(["queue://>"]), asked: "queue://orders.fifo", may: false },
    { rule: "never a temporary destination", network: networkOf("a -> b"), asked: "temp-queue://x", may: false },
  ])("$rule", ({ network, at = "a", asked, may }) => {
    expect(mayCreate(sliceOf(network, at), destinationOf(asked))).toBe(may);
  });
});

test.for([
  { rule: "declared: its stack made it, and control will show it", queues: ["local"], may: true },
  { rule: "neither declared nor to be made", queues: [], may: false },
])("a destination without a view comes to be or not: $rule", ({ queues, may }) => {
  const network = networkOf("a -> b", lists, { brokers: { a: { queues } } });
  expect(mayComeToBe(sliceOf(network, "a"), destinationOf("queue://local"))).toBe(may);
});
