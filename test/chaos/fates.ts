import { type Fates, fatesOf } from "../support/histories/fates.ts";
import { type Cell, cellsIn } from "./cells.ts";

export type { Census, Fates } from "../support/histories/fates.ts";

export const row = (fault: string, port: string, cell: Cell): string => `${fault} × ${port} × ${cell}`;

/** The census counts fault × port × cell: by the cells that the first thing is about that is about any. */
export const fates = (draw: (row: string) => number): Fates =>
  fatesOf(draw, (fault, port, about) => firstCellsIn(about).map((cell) => row(fault, port, cell)));

const firstCellsIn = (things: readonly unknown[]): readonly Cell[] => {
  for (const thing of things) {
    const found = cellsIn(thing);
    if (found.length > 0) return found;
  }
  return [];
};
