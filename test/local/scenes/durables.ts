import type { Scene } from "./scene.ts";
import { bodies, type Stage } from "./stage.ts";

/** A durable subscriber at b that leaves at once. */
const subscribeAndLeave = async ({ read }: Stage): Promise<void> => (await read("b", "topic://prices", { durable: "audit" })).close();

/** Durable subscriptions at b of what is published at a. */
export const durables: readonly Scene[] = [
  {
    rule: "D6: one made and left before its connector ran is opened with syncDurableSubs when it runs",
    ways: "a -> b",
    connector: { syncDurableSubs: true, autoStart: false },
    stops: true,
    play: async (stage) => {
      await subscribeAndLeave(stage);
      await stage.command("a", "b", "start");
      await stage.eventually(() => stage.subscriptions("a", "topic://prices")).toBe(1);
      await stage.send("a", "topic://prices", ["m"]);
      const again = await stage.read("b", "topic://prices", { durable: "audit" });
      await stage.eventually(again.texts).toEqual(["m"]);
    },
  },
  {
    rule: "D41: what is published while its connector is stopped, and nobody has it, comes when both are back",
    ways: "a -> b",
    stops: true,
    play: async (stage) => {
      await subscribeAndLeave(stage);
      await stage.command("a", "b", "stop");
      await stage.eventually(() => stage.subscriptions("a", "topic://prices")).toBe(1);
      await stage.send("a", "topic://prices", bodies("m", 3));
      await stage.command("a", "b", "start");
      const again = await stage.read("b", "topic://prices", { durable: "audit" });
      await stage.eventually(again.texts).toEqual(bodies("m", 3));
    },
  },
  {
    rule: "D13: unsubscribed while its connector is stopped, there is no demand when that runs",
    ways: "a -> b",
    stops: true,
    play: async (stage) => {
      await subscribeAndLeave(stage);
      await stage.command("a", "b", "stop");
      await stage.unsubscribe("b", "audit");
      await stage.command("a", "b", "start");
      await stage.eventually(() => stage.subscriptions("a", "topic://prices")).toBe(0);
    },
  },
];

/** In a network of its own: another connector of a to b that has run would have seen it. */
export const unseen: readonly Scene[] = [
  {
    rule: "D21, D22: with dynamicOnly it is opened when it has a subscriber again",
    ways: "a -> b",
    connector: { dynamicOnly: true, syncDurableSubs: true, autoStart: false },
    stops: true,
    play: async (stage) => {
      await subscribeAndLeave(stage);
      await stage.send("a", "topic://prices", ["before"]);
      await stage.command("a", "b", "start");
      await stage.tick("a");
      await stage.eventually(() => stage.subscriptions("a", "topic://prices")).toBe(0);
      const again = await stage.read("b", "topic://prices", { durable: "audit" });
      await stage.send("a", "topic://prices", ["after"]);
      await stage.eventually(again.texts).toEqual(["after"]);
      await again.close();
      await stage.send("a", "topic://prices", ["gathered"]);
      const third = await stage.read("b", "topic://prices", { durable: "audit" });
      await stage.eventually(third.texts).toEqual(["gathered"]);
    },
  },
];
