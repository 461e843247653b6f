import type { Scene } from "./scene.ts";
import { bodies } from "./stage.ts";

export const browsers: readonly Scene[] = [
  {
    rule: "A30: a browser abroad is no demand and sees nothing; consumers get what there is",
    ways: "a -> b",
    play: async ({ read, send, browse, depth, subscriptions, eventually, expect }) => {
      await send("a", "queue://orders", bodies("m", 10));
      await eventually(() => depth("a", "queue://orders")).toBe(10);
      expect(await browse("b", "queue://orders")).toEqual([]);
      await eventually(() => subscriptions("a", "queue://orders")).toBe(0);
      const here = await read("a", "queue://orders");
      await eventually(here.texts).toEqual(bodies("m", 10).toSorted());
      expect(await browse("b", "queue://orders")).toEqual([]);
    },
  },
  {
    rule: "DEM-1: what a browser saw, with a selector or without, is there for a consumer that comes abroad",
    ways: "a -> b",
    play: async ({ read, send, browse, eventually }) => {
      await send("a", "queue://orders", ["eu1", "eu2"], { properties: { region: "eu" } });
      await send("a", "queue://orders", ["us1"], { properties: { region: "us" } });
      await eventually(() => browse("a", "queue://orders")).toEqual(["eu1", "eu2", "us1"]);
      await eventually(() => browse("a", "queue://orders", { selector: "region = 'eu'" })).toEqual(["eu1", "eu2"]);
      const there = await read("b", "queue://orders");
      await eventually(there.texts).toEqual(["eu1", "eu2", "us1"]);
    },
  },
  {
    rule: "A31: browsers of empty composites see nothing, without an error",
    ways: "a -> b",
    play: async ({ browse, expect }) => {
      for (const at of ["a", "b"]) expect(await browse(at, "queue://first,second")).toEqual([]);
    },
  },
  {
    rule: "A32: with static routes browsers of a composite find each message once, at one broker or another",
    ways: "a -> b, a -> c",
    connector: { prefetchSize: 1, staticallyIncludedDestinations: ["queue://first", "queue://second"] },
    play: async ({ send, browse, eventually }) => {
      await send("a", "queue://first,second", bodies("m", 5));
      const seen = (...brokers: string[]) => Promise.all(brokers.map((at) => browse(at, "queue://first,second")));
      await eventually(async () => (await seen("b", "c")).flat().toSorted()).toEqual([...bodies("m", 5), ...bodies("m", 5)].toSorted());
      await eventually(() => seen("a")).toEqual([[]]);
    },
  },
  {
    rule: "FWD-4: over two links the path grows and everything else stays",
    ways: "a -> b, b -> c",
    connector: { networkTTL: 2 },
    play: async ({ read, send, own, subscriptions, eventually, expect }) => {
      const reader = await read("c", "queue://orders");
      await eventually(() => subscriptions("a", "queue://orders")).toBe(1);
      const headers = { correlationId: "c-1", replyTo: "queue://replies", type: "order", priority: 7, groupId: "g-1", userId: "u-1" };
      await send("a", "queue://orders", ["m"], { ...headers, timeToLive: 3_600_000, properties: { size: 3 } });
      await eventually(reader.texts).toEqual(["m"]);
      const [message] = reader.received;
      expect(message).toMatchObject({ ...headers, destination: own("queue://orders"), brokerPath: ["a", "b"], properties: { size: 3 } });
      expect((message?.expiration ?? 0) - (message?.timestamp ?? 0)).toBeGreaterThanOrEqual(3_600_000);
    },
  },
];
