import { expect, test } from "vitest";
import { brokenLaws } from "../verdict.ts";
import { endingOf, until } from "./quiet.ts";

const fails = async (): Promise<never> => {
  throw new Error("SQS is away");
};
const lookingAt = (...looks: readonly (() => Promise<readonly string[]>)[]) => {
  const left = [...looks];
  return () => (left.length > 1 ? left.shift() : left[0])?.() ?? fails();
};
const sees =
  (...bodies: readonly string[]) =>
  async () =>
    bodies;
const unseen = ["what is left: Error: SQS is away"];

test.for<{ rule: string; look: () => Promise<readonly string[]>; ms: number; left: readonly string[]; unseen: readonly string[] }>([
  { rule: "what nobody could ever see is unseen, and says why", look: fails, ms: 0, left: [], unseen },
  { rule: "what stood at the last look stands", look: sees("a"), ms: 0, left: ["a"], unseen: [] },
  {
    rule: "a look that fails says nothing: what was seen before it stands",
    look: lookingAt(sees("a"), fails),
    ms: 150,
    left: ["a"],
    unseen: [],
  },
  { rule: "a look that succeeds after one that failed tells", look: lookingAt(fails, sees()), ms: 60_000, left: [], unseen: [] },
])("$rule", async ({ look, ms, left, unseen }) => {
  expect(await endingOf(look, ms)).toEqual({ left, unseen });
});

test("a history whose end was never seen breaks a law", () => {
  const verdict = { world: "embedded", seed: 1, tallies: new Map(), census: new Map(), spent: [] } as const;
  expect(brokenLaws({ ...verdict, unseen })).toEqual([{ law: "a history's end is seen", bodies: unseen }]);
  expect(brokenLaws({ ...verdict, unseen: [] })).toEqual([]);
});

test.for<{ rule: string; holds: () => boolean | Promise<boolean>; why: string | undefined }>([
  { rule: "what holds needs no reason", holds: () => true, why: undefined },
  { rule: "what never held says so", holds: () => false, why: "it never was so" },
  { rule: "what couldn't be seen says why", holds: fails, why: "Error: SQS is away" },
])("until: $rule", async ({ holds, why }) => {
  expect(await until(holds, 0)).toBe(why);
});
