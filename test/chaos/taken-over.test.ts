import { expect, test } from "vitest";
import { takenOver } from "./taken-over.ts";

const key = "arrival|m";
const second = 1_000;

/** Seconds: the claim is so old, clocks of owner and taker are off by so much. */
const isExcused = ({ age, owner = 0, taker = 0, isKnown = true }: { age: number; owner?: number; taker?: number; isKnown?: boolean }) => {
  let time = 0;
  const overtaken = takenOver(() => time);
  if (isKnown) overtaken.claimed([{ key, attempt: "1" }]);
  time = age * second;
  overtaken.note({ key, attempt: "2" }, { attempt: "1", claimedAt: owner * second }, time + taker * second);
  return overtaken.was({ key, attempt: "1" } as { key: string });
};

test.for([
  { rule: "a claim that is taken at once, by clocks that agree", age: 0, excused: false },
  { rule: "one that is taken at once, by clocks too near for that", age: 0, owner: -4, taker: 60, excused: false },
  { rule: "one that looks a minute old, and five seconds more", age: 0, owner: -5, taker: 60, excused: true },
  { rule: "one that looks so because some of it is true", age: 50, taker: 15, excused: true },
  { rule: "one whose owner's clock is ahead as well", age: 0, owner: 100, taker: 120, excused: false },
  { rule: "one whose owner can't be alive", age: 65, taker: 120, excused: false },
  { rule: "one that nobody claimed", age: 0, taker: 120, isKnown: false, excused: false },
])("$rule: clocks excuse it: $excused", ({ excused, ...claim }) => {
  expect(isExcused(claim)).toBe(excused);
});

test("a claim that was taken over is its taker's from then on", () => {
  let time = 0;
  const overtaken = takenOver(() => time);
  overtaken.claimed([{ key, attempt: "1" }]);
  time = 65 * second;
  overtaken.note({ key, attempt: "2" }, { attempt: "1", claimedAt: 0 }, time);
  overtaken.note({ key, attempt: "3" }, { attempt: "2", claimedAt: time }, time + 65 * second);
  const was = (attempt: string) => overtaken.was({ key, attempt } as { key: string });
  expect([was("1"), was("2"), was("3")]).toEqual([false, true, false]);
});
