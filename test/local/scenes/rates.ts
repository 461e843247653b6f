import type { Scene } from "./scene.ts";
import { bodies, type Reader, type Stage } from "./stage.ts";

const hour = 3_600_000;
const second = 1_000;
const limited = (rateLimit: number, rateDuration: number) => ({
  brokers: { a: { destinationPolicies: ["queue://>", "topic://>"].map((destination) => ({ destination, rateLimit, rateDuration })) } },
});

/** Sends five under a limit of two in a window; answers how many windows had begun, at least, when the last one was there. */
const windowsUntilAllCame = async ({ send, eventually }: Stage, destination: string, reader: Reader): Promise<number> => {
  const began = Date.now();
  await send("a", destination, bodies("m", 5));
  await eventually(reader.texts).toEqual(bodies("m", 5));
  return Math.floor((Date.now() - began) / second);
};

export const rates: readonly Scene[] = [
  {
    rule: "REP-4 of a queue: two of five cross in an hour's window, the rest stays here for whoever comes",
    ways: "a -> b",
    particulars: limited(2, hour),
    play: async ({ read, send, depth, eventually }) => {
      const there = await read("b", "queue://orders");
      await send("a", "queue://orders", bodies("m", 5));
      await eventually(async () => [there.received.length, await depth("a", "queue://orders")]).toEqual([2, 3]);
      const here = await read("a", "queue://orders");
      await eventually(() => [...here.texts(), ...there.texts()].toSorted()).toEqual(bodies("m", 5));
    },
  },
  {
    rule: "REP-5 of a queue: what is held moves by itself, window by window",
    ways: "a -> b",
    particulars: limited(2, second),
    play: async (stage) => {
      const reader = await stage.read("b", "queue://orders");
      stage.expect(await windowsUntilAllCame(stage, "queue://orders", reader)).toBeGreaterThanOrEqual(2);
    },
  },
  {
    rule: "REP-4 of a topic: two of five cross in an hour's window, the rest waits for the link, and nobody here waits",
    ways: "a -> b",
    particulars: limited(2, hour),
    play: async ({ read, send, undelivered, eventually }) => {
      const [here, there] = [await read("a", "topic://prices"), await read("b", "topic://prices")];
      await send("a", "topic://prices", bodies("m", 5));
      await eventually(here.texts).toEqual(bodies("m", 5));
      await eventually(async () => [there.received.length, await undelivered("a", "b")]).toEqual([2, 3]);
    },
  },
  {
    rule: "REP-5 of a topic: what is held moves by itself, window by window",
    ways: "a -> b",
    particulars: limited(2, second),
    play: async (stage) => {
      const reader = await stage.read("b", "topic://prices");
      stage.expect(await windowsUntilAllCame(stage, "topic://prices", reader)).toBeGreaterThanOrEqual(2);
    },
  },
];
