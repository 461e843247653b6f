/** What fired how often, by the name of its row. */
export type Census = Map<string, number>;

/** Draws whether faults strike, and counts them by what they hit. */
export interface Fates {
  readonly census: Census;
  /** Does the fault strike this call, once in so many? `about`: what the call carries, or else what its invocation is about. */
  strikes(fault: string, port: string, rarity: number, ...about: readonly unknown[]): boolean;
  /** It struck, by somebody else's will. */
  struck(fault: string, port: string, ...about: readonly unknown[]): void;
  draw(row: string): number;
  /** From now on things go wrong, or don't. */
  begin(): void;
  end(): void;
}

/** The census's rows that a strike counts in. */
export type RowsOf = (fault: string, port: string, about: readonly unknown[]) => readonly string[];

export const fatesOf = (draw: (row: string) => number, rowsOf: RowsOf): Fates => {
  const census: Census = new Map();
  let over = true;
  const struck: Fates["struck"] = (fault, port, ...about) => {
    for (const row of rowsOf(fault, port, about)) census.set(row, (census.get(row) ?? 0) + 1);
  };
  return {
    census,
    struck,
    strikes: (fault, port, rarity, ...about) => {
      if (over || draw(`${fault} ${port}`) >= 1 / rarity) return false;
      struck(fault, port, ...about);
      return true;
    },
    draw,
    begin: () => {
      over = false;
    },
    end: () => {
      over = true;
    },
  };
};
