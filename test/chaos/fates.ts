import { type Cell, cellsIn } from "./cells.ts";

/** What fired how often: fault × port × cell. */
export type Census = Map<string, number>;
export const row = (fault: string, port: string, cell: Cell): string => `${fault} × ${port} × ${cell}`;

/** Draws whether faults strike, and counts them by the cells that they hit. */
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

export const fates = (draw: (row: string) => number): Fates => {
  const census: Census = new Map();
  let over = true;
  const struck: Fates["struck"] = (fault, port, ...about) => {
    const cells = about.map((thing) => cellsIn(thing)).find((found) => found.length > 0) ?? [];
    for (const cell of cells) census.set(row(fault, port, cell), (census.get(row(fault, port, cell)) ?? 0) + 1);
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
