import type { Scene } from "./scene.ts";
import { bodies } from "./stage.ts";

const statics = { staticallyIncludedDestinations: ["queue://static.>"] };

/** What of a queue may cross a link. */
export const crossing: readonly Scene[] = [
  {
    rule: "A35: over a static bridge what is statically included crosses, what is merely wanted doesn't",
    ways: "a -> b",
    connector: { staticBridge: true, ...statics },
    play: async ({ read, send, depth, eventually, expect }) => {
      const readers = await Promise.all(["queue://static.one", "queue://wanted"].map((queue) => read("b", queue)));
      await send("a", "queue://wanted", ["wanted"]);
      await send("a", "queue://static.one", ["static"]);
      await eventually(() => readers.map(({ texts }) => texts())).toEqual([["static"], []]);
      await eventually(() => depth("a", "queue://wanted")).toBe(1);
      expect(readers.map(({ texts }) => texts())).toEqual([["static"], []]);
    },
  },
  {
    rule: "C6, C2: an exclude by pattern or by name stops a static include, and what somebody wants",
    ways: "a -> b",
    connector: { excludedDestinations: ["queue://static.no", "queue://out.>"], ...statics },
    play: async ({ read, send, depth, eventually, expect }) => {
      const reader = await read("b", "queue://out.wanted,in.wanted");
      for (const queue of ["queue://static.no", "queue://static.yes", "queue://out.wanted", "queue://in.wanted"])
        await send("a", queue, ["m"]);
      await eventually(async () => [await depth("b", "queue://static.yes"), reader.received.length]).toEqual([1, 1]);
      await eventually(() => Promise.all(["queue://static.no", "queue://out.wanted"].map((queue) => depth("a", queue)))).toEqual([1, 1]);
      const [here, there] = [await read("a", "queue://static.no,out.wanted"), await read("b", "queue://static.yes")];
      await eventually(() => [here.texts(), there.texts()]).toEqual([["m", "m"], ["m"]]);
      expect(reader.received.length).toBe(1);
    },
  },
  {
    rule: "A36: what stands in many queues drains over a link that starts at run time, and stays when it stops",
    ways: "a -> b",
    connector: { staticBridge: true, staticallyIncludedDestinations: ["queue://>"], autoStart: false },
    play: async ({ send, command, depth, eventually }) => {
      const queues = ["queue://plain", "queue://with.dots"];
      const depths = (at: string) => Promise.all(queues.map((queue) => depth(at, queue)));
      for (const queue of queues) await send("a", queue, bodies("m", 3));
      await eventually(() => depths("a")).toEqual([3, 3]);
      await command("a", "b", "start");
      await eventually(() => depths("b")).toEqual([3, 3]);
      await eventually(() => depths("a")).toEqual([0, 0]);
    },
  },
  {
    rule: "H17: what is sent while a connector is stopped arrives after its start",
    ways: "a -> b",
    stops: true,
    play: async ({ read, send, command, subscriptions, depth, eventually, expect }) => {
      const reader = await read("b", "queue://orders");
      await command("a", "b", "stop");
      await eventually(() => subscriptions("a", "queue://orders")).toBe(0);
      await send("a", "queue://orders", bodies("m", 3));
      await eventually(() => depth("a", "queue://orders")).toBe(3);
      expect(reader.texts()).toEqual([]);
      await command("a", "b", "start");
      await eventually(reader.texts).toEqual(bodies("m", 3));
    },
  },
  {
    rule: "C16, C17: of a composite consumer and a plain one the peer has one subscription per queue, and both get messages",
    ways: "a -> b",
    play: async ({ read, send, subscriptions, eventually }) => {
      const readers = [await read("b", "queue://first,second"), await read("b", "queue://first")];
      await eventually(() => Promise.all(["queue://first", "queue://second"].map((queue) => subscriptions("a", queue)))).toEqual([1, 1]);
      await send("a", "queue://first,second", ["m"]);
      await eventually(() => readers.flatMap(({ texts }) => texts())).toEqual(["m", "m"]);
    },
  },
  {
    rule: "DUP-2: one duplex connector carries both ways",
    ways: "a -> b",
    particulars: {
      brokers: { a: { networkConnectors: [{ name: "both", to: "b", duplex: true, dynamicallyIncludedDestinations: ["queue://>"] }] } },
    },
    play: async ({ read, send, eventually }) => {
      const [there, here] = [await read("b", "queue://eastward"), await read("a", "queue://westward")];
      await send("a", "queue://eastward", ["e"]);
      await send("b", "queue://westward", ["w"]);
      await eventually(() => [there.texts(), here.texts()]).toEqual([["e"], ["w"]]);
    },
  },
];
