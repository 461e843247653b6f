import { mesh, star } from "../../support/simulator/topologies.ts";
import type { Scene } from "./scene.ts";
import { bodies } from "./stage.ts";

/** How far queue messages get. */
export const queuesFar: readonly Scene[] = [
  {
    rule: "A1: with a TTL of 1 nobody two hops away gets anything",
    ways: "a -> b, b -> c",
    play: async ({ read, send, depth, eventually, expect }) => {
      const far = await read("c", "queue://orders");
      await send("a", "queue://orders", bodies("m", 3));
      await eventually(() => depth("a", "queue://orders")).toBe(3);
      const near = await read("b", "queue://orders");
      await eventually(near.texts).toEqual(bodies("m", 3));
      expect(far.texts()).toEqual([]);
    },
  },
  {
    rule: "TTL-3: without a limit demand and messages cross a line whole",
    ways: "a -> b, b -> c",
    connector: { networkTTL: -1 },
    play: async ({ read, send, subscriptions, eventually }) => {
      const far = await read("c", "queue://orders");
      await eventually(() => subscriptions("a", "queue://orders")).toBe(1);
      await send("a", "queue://orders", bodies("m", 3));
      await eventually(far.texts).toEqual(bodies("m", 3));
    },
  },
  {
    rule: "A22: a static include is one subscription per spoke at the hub and one at each spoke",
    ways: star(3),
    connector: { conduitSubscriptions: false, staticallyIncludedDestinations: ["queue://orders"] },
    play: async ({ subscriptions, eventually }) => {
      const counts = () => Promise.all(["a", "b", "c"].map((at) => subscriptions(at, "queue://orders")));
      await eventually(counts).toEqual([2, 1, 1]);
    },
  },
];

/** How far topic messages get. */
export const topicsFar: readonly Scene[] = [
  {
    rule: "B1: along a line subscribers get what comes over one hop, no more",
    ways: "a -> b, b -> c",
    play: async ({ read, send, eventually, expect }) => {
      const readers = await Promise.all(["a", "b", "c"].map((at) => read(at, "topic://prices")));
      const texts = () => readers.map((reader) => reader.texts());
      await send("a", "topic://prices", ["from a"]);
      await eventually(texts).toEqual([["from a"], ["from a"], []]);
      await send("b", "topic://prices", ["from b"]);
      await eventually(texts).toEqual([["from a"], ["from a", "from b"], ["from b"]]);
      await send("c", "topic://prices", ["from c"]);
      await eventually(() => readers[2]?.texts()).toEqual(["from b", "from c"]);
      expect(texts().slice(0, 2)).toEqual([["from a"], ["from a", "from b"]]);
    },
  },
  {
    rule: "B2: over two hops each of three subscribers gets what its selector takes",
    ways: "a -> b, b -> c",
    connector: { networkTTL: 2 },
    play: async ({ read, send, subscriptions, eventually }) => {
      const selectors = ["size = 33", "size > 30", "size * 2 = 68"];
      const readers = await Promise.all(selectors.map((selector) => read("c", "topic://prices", { selector })));
      await eventually(() => subscriptions("a", "topic://prices")).toBe(1);
      for (const size of [34, 33, 30]) await send("a", "topic://prices", [`of ${size}`], { properties: { size } });
      await eventually(() => readers.map(({ texts }) => texts())).toEqual([["of 33"], ["of 33", "of 34"], ["of 34"]]);
    },
  },
  {
    rule: "B6: in a mesh with a TTL of 2 each subscriber gets each message once",
    ways: mesh(3),
    connector: { networkTTL: 2 },
    play: async ({ read, send, subscriptions, eventually, expect }) => {
      const readers = await Promise.all(["a", "b", "c"].map((at) => read(at, "topic://prices")));
      await eventually(() => Promise.all(["a", "b", "c"].map((at) => subscriptions(at, "topic://prices")))).toEqual([2, 2, 2]);
      for (const at of ["a", "b", "c"]) {
        const before = readers.map(({ received }) => received.length);
        await send(at, "topic://prices", [at]);
        await eventually(() => readers.every(({ received }, index) => received.length > (before[index] ?? 0))).toBe(true);
      }
      expect(readers.map(({ texts }) => texts())).toEqual([
        ["a", "b", "c"],
        ["a", "b", "c"],
        ["a", "b", "c"],
      ]);
    },
  },
  {
    rule: "B17: what is published while the subscriber is away waits for it, beyond two links",
    ways: "a -> b, b -> c",
    connector: { networkTTL: 2 },
    play: async ({ read, send, subscriptions, eventually }) => {
      const first = await read("c", "topic://prices", { durable: "audit" });
      await eventually(() => subscriptions("a", "topic://prices")).toBe(1);
      await first.close();
      await send("a", "topic://prices", bodies("m", 3));
      await send("c", "topic://prices", ["at home"]);
      const again = await read("c", "topic://prices", { durable: "audit" });
      await eventually(again.texts).toEqual(["at home", ...bodies("m", 3)]);
    },
  },
];
