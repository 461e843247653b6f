import type { Scene } from "./scene.ts";
import type { Reader, Stage } from "./stage.ts";

/** A consumer whom no message suits: over a conduit that ignores selectors it draws messages to its broker, where they rest. */
const drawAt = (stage: Stage, at: string): Promise<Reader> => stage.read(at, "queue://orders", { selector: "1 = 0" });

const drawing = { conduitSelectors: "ignore" } as const;
const replaying = (policy: object) => ({ destinationPolicies: [{ destination: "queue://>", replayWhenNoConsumers: true, ...policy }] });

/** A message that was drawn from a to b, where nobody takes it, and a plain consumer at a. */
const drawnAway = async (stage: Stage) => {
  const drawer = await drawAt(stage, "b");
  await stage.send("a", "queue://orders", ["m"]);
  await stage.eventually(() => stage.depth("b", "queue://orders")).toBe(1);
  return { drawer, home: await stage.read("a", "queue://orders") };
};

/** Selectors over links, and messages that follow their consumers. */
export const replays: readonly Scene[] = [
  {
    rule: "CND-5, better: over a conduit what one of the selectors there takes crosses, the rest stays for whoever comes",
    ways: "a -> b",
    play: async ({ read, send, depth, eventually, expect }) => {
      const [blue, red] = [
        await read("b", "queue://orders", { selector: "colour = 'blue'" }),
        await read("b", "queue://orders", { selector: "colour = 'red'" }),
      ];
      for (const colour of ["blue", "red", "green"]) await send("a", "queue://orders", [colour], { properties: { colour } });
      await eventually(() => [blue.texts(), red.texts()]).toEqual([["blue"], ["red"]]);
      await eventually(() => depth("a", "queue://orders")).toBe(1);
      const here = await read("a", "queue://orders");
      await eventually(here.texts).toEqual(["green"]);
      expect([blue.texts(), red.texts()]).toEqual([["blue"], ["red"]]);
    },
  },
  {
    rule: "CND-5: a conduit that ignores selectors takes everything, and what nobody there wants strands there",
    ways: "a -> b",
    connector: drawing,
    play: async ({ read, send, depth, eventually }) => {
      const blue = await read("b", "queue://orders", { selector: "colour = 'blue'" });
      for (const colour of ["blue", "green"]) await send("a", "queue://orders", [colour], { properties: { colour } });
      await eventually(async () => [blue.texts(), await depth("b", "queue://orders"), await depth("a", "queue://orders")]).toEqual([
        ["blue"],
        1,
        0,
      ]);
    },
  },
  {
    rule: "A28: with selectorAware replay a message goes home from beside a consumer that refuses it",
    ways: "a <-> b",
    connector: drawing,
    particulars: { brokers: { b: replaying({ selectorAware: true }) } },
    play: async (stage) => {
      const { home } = await drawnAway(stage);
      await stage.eventually(home.texts).toEqual(["m"]);
      stage.expect(home.received[0]?.brokerPath).toEqual(["a", "b"]);
    },
  },
  {
    rule: "A29: without selectorAware it stays there until that consumer leaves",
    ways: "a <-> b",
    connector: drawing,
    particulars: { brokers: { b: replaying({}) } },
    play: async (stage) => {
      const { drawer, home } = await drawnAway(stage);
      await stage.tick("b");
      stage.expect([home.texts(), await stage.depth("b", "queue://orders")]).toEqual([[], 1]);
      await drawer.close();
      await stage.eventually(home.texts).toEqual(["m"]);
    },
  },
  {
    rule: "REP-5: what is held by a replayDelay goes home by itself when its time is over",
    ways: "a <-> b",
    connector: drawing,
    particulars: { brokers: { b: replaying({ replayDelay: 3_000 }) } },
    play: async (stage) => {
      const began = Date.now();
      const { drawer, home } = await drawnAway(stage);
      await drawer.close();
      await stage.eventually(home.texts).toEqual(["m"]);
      stage.expect(Date.now() - began).toBeGreaterThanOrEqual(3_000);
    },
  },
];
