import type { Scene } from "./scene.ts";
import { bodies } from "./stage.ts";

/** What of a topic crosses a link. */
export const topics: readonly Scene[] = [
  {
    rule: "B14, W2: an included pattern crosses, to topics that are made later too; an excluded one doesn't",
    ways: "a -> b",
    connector: { dynamicallyIncludedDestinations: ["topic://in.>", "topic://out.>"], excludedDestinations: ["topic://out.>"] },
    play: async ({ read, send, eventually, expect }) => {
      const [included, excluded] = [await read("b", "topic://in.*"), await read("b", "topic://out.x")];
      await send("a", "topic://out.x", ["out"]);
      await send("a", "topic://in.x", ["in"]);
      await eventually(included.texts).toEqual(["in"]);
      await send("b", "topic://out.x", ["at home"]);
      await eventually(excluded.texts).toEqual(["at home"]);
      expect(included.texts()).toEqual(["in"]);
    },
  },
  {
    rule: "C15: two composite subscribers are one subscription per topic at the peer, and both get what is sent to each",
    ways: "a -> b",
    play: async ({ read, send, subscriptions, eventually }) => {
      const readers = [await read("b", "topic://first,second"), await read("b", "topic://first,second")];
      await eventually(() => Promise.all(["topic://first", "topic://second"].map((topic) => subscriptions("a", topic)))).toEqual([1, 1]);
      for (const topic of ["first", "second"]) await send("a", `topic://${topic}`, [topic]);
      await eventually(() => readers.map(({ texts }) => texts())).toEqual([
        ["first", "second"],
        ["first", "second"],
      ]);
    },
  },
  {
    rule: "SEL-21: noLocal leaves out what its own connection publishes, and nothing that comes from abroad",
    ways: "a <-> b",
    play: async ({ read, send, own, eventually, expect }) => {
      const [here, there] = [await read("a", "topic://chat", { noLocal: true }), await read("b", "topic://chat")];
      await here.connection.publish(own("topic://chat"), "mine");
      await eventually(there.texts).toEqual(["mine"]);
      await send("b", "topic://chat", ["from abroad"]);
      await send("a", "topic://chat", ["another's"]);
      await eventually(here.texts).toEqual(["another's", "from abroad"]);
      expect(there.texts()).toContain("mine");
    },
  },
  {
    rule: "D28: a topic's static include, forced or not, is a subscription without anybody",
    ways: "a -> b",
    connector: { staticallyIncludedDestinations: ["topic://forced?forceDurable=true", "topic://plain"] },
    play: async ({ subscriptions, send, eventually }) => {
      for (const topic of ["topic://forced", "topic://plain"]) await send("a", topic, bodies("m", 1));
      await eventually(() => Promise.all(["topic://forced", "topic://plain"].map((topic) => subscriptions("a", topic)))).toEqual([1, 1]);
    },
  },
];
