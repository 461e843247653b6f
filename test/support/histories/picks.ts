/** What histories draw, each by the row of its name. */
export const picksOf = (draw: (row: string) => number) => ({
  pick: <T>(row: string, choices: readonly T[]): T => choices[Math.floor(draw(row) * choices.length)] as T,
  chance: (row: string, probability: number): boolean => draw(row) < probability,
  /** From 1 to `most`. */
  upTo: (row: string, most: number): number => 1 + Math.floor(draw(row) * most),
});
export type Picks = ReturnType<typeof picksOf>;
