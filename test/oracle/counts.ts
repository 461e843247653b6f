import type { Count, Varying } from "./recording.ts";

export const alternativesOf = <T>(value: Varying<T>): readonly (T | null)[] =>
  typeof value === "object" && value !== null && "anyOf" in value ? value.anyOf : [value as T];

type Range = readonly [least: number, most: number];

const rangesOf = (count: Count): readonly Range[] =>
  alternativesOf(count).map((value) => (typeof value === "number" ? [value, value] : (value ?? [0, 0])) as Range);

export const isCount = (theirs: Count, ours: number, slack = 0): boolean =>
  rangesOf(theirs).some(([least, most]) => ours >= least - slack && ours <= most + slack);

/** The least and the most that several counts make together. */
export const added = (counts: readonly Count[]): Range =>
  counts.reduce<Range>(
    ([least, most], count) => [
      least + Math.min(...rangesOf(count).map(([from]) => from)),
      most + Math.max(...rangesOf(count).map(([, to]) => to)),
    ],
    [0, 0],
  );

export const sum = (counts: readonly number[]): number => counts.reduce((total, count) => total + count, 0);
