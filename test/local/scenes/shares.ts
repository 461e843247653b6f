import type { Connector, Particulars } from "../../support/simulator/topologies.ts";
import type { Scene } from "./scene.ts";
import { bodies } from "./stage.ts";

/** Consumers at a and b, in this order, of what is sent at a. */
interface Sharing {
  readonly rule: string;
  readonly connector?: Connector;
  readonly particulars?: Particulars;
  /** Their priorities by broker. */
  readonly consumers: readonly (readonly [at: string, priority: number])[];
  /** Subscriptions at a, and what of twelve messages each broker's consumers get together. */
  readonly subscriptions: number;
  readonly got: { readonly a: number; readonly b: number };
}

const policy = (policies: object): Particulars => ({
  brokers: { a: { destinationPolicies: [{ destination: "queue://>", ...policies }] } },
});
const toB = { to: "b", dynamicallyIncludedDestinations: ["queue://>"] };

const sharing: readonly Sharing[] = [
  {
    rule: "CND-1: behind a conduit two consumers abroad count as one",
    consumers: [
      ["a", 0],
      ["b", 0],
      ["b", 0],
    ],
    subscriptions: 2,
    got: { a: 6, b: 6 },
  },
  {
    rule: "CND-6: without a conduit each of them counts",
    connector: { conduitSubscriptions: false },
    consumers: [
      ["a", 0],
      ["b", 0],
      ["b", 0],
    ],
    subscriptions: 3,
    got: { a: 4, b: 8 },
  },
  {
    rule: "of two connectors with the same destinations each counts",
    particulars: {
      brokers: {
        a: {
          networkConnectors: [
            { name: "one", ...toB },
            { name: "two", ...toB },
          ],
        },
      },
    },
    consumers: [
      ["a", 0],
      ["b", 0],
    ],
    subscriptions: 3,
    got: { a: 4, b: 8 },
  },
  {
    rule: "QUE-7: a consumer abroad of a higher priority gets all",
    consumers: [
      ["a", 0],
      ["b", 5],
    ],
    subscriptions: 2,
    got: { a: 0, b: 12 },
  },
  {
    rule: "QUE-6: with decreasing priorities the consumer here does",
    connector: { decreaseNetworkConsumerPriority: true },
    consumers: [
      ["a", 0],
      ["b", 5],
    ],
    subscriptions: 2,
    got: { a: 12, b: 0 },
  },
  {
    rule: "QUE-1: with useConsumerPriority false they are equals",
    particulars: policy({ useConsumerPriority: false }),
    consumers: [
      ["a", 0],
      ["b", 5],
    ],
    subscriptions: 2,
    got: { a: 6, b: 6 },
  },
  {
    rule: "QUE-3: with strictOrderDispatch equals don't take turns",
    particulars: policy({ strictOrderDispatch: true }),
    consumers: [
      ["a", 0],
      ["b", 0],
    ],
    subscriptions: 2,
    got: { a: 12, b: 0 },
  },
];

/** Who gets how much of a queue. */
export const shares: readonly Scene[] = sharing.map(({ consumers, subscriptions, got, ...scene }) => ({
  ...scene,
  ways: "a -> b",
  play: async ({ read, send, subscriptions: subscriptionsAt, eventually, expect }) => {
    const readers = await Promise.all(
      consumers.map(async ([at, priority]) => ({ at, reader: await read(at, "queue://orders", { priority }) })),
    );
    await eventually(() => subscriptionsAt("a", "queue://orders")).toBe(subscriptions);
    await send("a", "queue://orders", bodies("m", 12));
    const textsAt = (broker: string) => readers.flatMap(({ at, reader }) => (at === broker ? reader.texts() : []));
    await eventually(() => [...textsAt("a"), ...textsAt("b")].toSorted()).toEqual(bodies("m", 12).toSorted());
    expect({ a: textsAt("a").length, b: textsAt("b").length }).toEqual(got);
  },
}));
