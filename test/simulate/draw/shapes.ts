import type { Picks } from "../../support/histories/picks.ts";

/** Pairs of brokers that are joined. */
export type Edges = readonly (readonly [string, string])[];

const ids = "abcdefgh".split("");
const named = (count: number): readonly string[] => ids.slice(0, count);
const line = (count: number): Edges => pairs(named(count));
const pairs = (names: readonly string[]): Edges => names.slice(1).map((name, index) => [names[index] ?? "", name] as const);

const shapes: Readonly<
  Record<string, { readonly least: number; readonly most: number; readonly edges: (count: number, picks: Picks) => Edges }>
> = {
  line: { least: 2, most: 8, edges: line },
  ring: { least: 3, most: 6, edges: (count) => [...line(count), [ids[count - 1] ?? "", "a"]] },
  star: {
    least: 3,
    most: 8,
    edges: (count) =>
      named(count)
        .slice(1)
        .map((id) => ["a", id]),
  },
  /** Each broker but the first hangs on one before it. */
  tree: {
    least: 3,
    most: 8,
    edges: (count, { pick }) =>
      named(count)
        .slice(1)
        .map((id, index) => [pick("parent", named(index + 1)), id]),
  },
  mesh: {
    least: 3,
    most: 5,
    edges: (count) =>
      named(count).flatMap((id, index) =>
        named(count)
          .slice(index + 1)
          .map((other) => [id, other] as const),
      ),
  },
  /** The second hangs on the first one's foot. */
  diamond: { least: 4, most: 7, edges: (count) => [...diamond("abcd"), ...(count === 7 ? diamond("defg") : [])] },
};
const diamond = ([top = "", left = "", right = "", foot = ""]: string): Edges => [
  [top, left],
  [top, right],
  [left, foot],
  [right, foot],
];

/** Mostly small ones: what breaks in many breaks in few. */
export const drawEdges = (picks: Picks, draw: (row: string) => number): Edges => {
  const { least, most, edges } = picks.pick("shape", Object.values(shapes));
  return edges(least + Math.floor(draw("size") ** 3 * (most - least + 1)), picks);
};
