import { hash } from "node:crypto";

/** From 0 up to 1: the same for the same words. */
const chanceOf = (...words: readonly (string | number)[]): number =>
  Number.parseInt(hash("sha256", words.join("\n")).slice(0, 8), 16) / 2 ** 32;

/** Draws by seed, one row of them for each name: as far as the calls of one kind come in the same order, they are drawn alike. */
export const dice = (seed: number): ((row: string) => number) => {
  const drawn = new Map<string, number>();
  return (row) => {
    const n = drawn.get(row) ?? 0;
    drawn.set(row, n + 1);
    return chanceOf(seed, row, n);
  };
};
