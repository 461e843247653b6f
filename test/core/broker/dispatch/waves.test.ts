import { describe, expect, test } from "vitest";
import { inWaves } from "../../../../core/broker/dispatch/waves.ts";

/** Each item names its group by its letter; those that fail stop it. There is time for so many waves. */
const handled = async (texts: string, failing = "", time = 10) => {
  const waves: string[] = [];
  const items = texts.split(" ").map((text) => ({ text, ...(text.startsWith("-") ? {} : { group: text.slice(0, 1) }) }));
  const handle = async (wave: readonly { readonly text: string }[]) => {
    waves.push(wave.map(({ text }) => text).join(" "));
    return wave.map(({ text }) => (failing.split(" ").includes(text) ? `${text}!` : text));
  };
  const behind = ({ text }: { readonly text: string }, stopper: string) => `${text} behind ${stopper}`;
  const results = await inWaves(items, handle, {
    stops: (result) => result.endsWith("!"),
    behind,
    mayContinue: () => waves.length < time,
    unbegun: ({ text }) => `${text} unbegun`,
  });
  return { results, waves };
};

describe("a batch in waves", () => {
  test.for([
    { rule: "has one of each group in each", texts: "a1 a2 b1 a3 b2", waves: ["a1 b1", "a2 b2", "a3"] },
    { rule: "has all that have no group in the first", texts: "-1 -2 -3", waves: ["-1 -2 -3"] },
    { rule: "has none without records", texts: "", waves: [""] },
    { rule: "leaves out a group behind one that failed", texts: "a1 a2 a3 b1 b2 b3", failing: "a2", waves: ["a1 b1", "a2 b2", "b3"] },
    { rule: "begins none that there is no time for", texts: "a1 a2 a3 b1 b2", time: 2, waves: ["a1 b1", "a2 b2"] },
    { rule: "but the first", texts: "a1 a2 -1", time: 0, waves: ["a1 -1"] },
  ])("$rule", async ({ texts, failing, time, waves }) => {
    expect((await handled(texts, failing, time)).waves).toEqual(waves);
  });

  test("answers in the order given, and for what it left out by the one that stopped it", async () => {
    const { results } = await handled("a1 b1 a2 b2 a3", "a1");
    expect(results).toEqual(["a1!", "b1", "a2 behind a1!", "b2", "a3 behind a1!"]);
  });

  test("tells what failed, what stands behind it and what was never begun apart", async () => {
    const { results } = await handled("a1 b1 -1 a2 b2 a3 b3", "a1", 2);
    expect(results).toEqual(["a1!", "b1", "-1", "a2 behind a1!", "b2", "a3 behind a1!", "b3 unbegun"]);
  });
});
