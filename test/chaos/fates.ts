import { type Fates, fatesOf } from "../support/histories/fates.ts";
import { type Cell, cellsIn } from "./cells.ts";

export type { Census, Fates } from "../support/histories/fates.ts";

export const row = (fault: string, port: string, cell: Cell): string => `${fault} × ${port} × ${cell}`;

/** The census counts fault × port × cell: by the cells that the first thing is about that is about any. */
export const fates = (draw: (row: string) => number): Fates =>
  fatesOf(draw, (fault, port, about) => {
    const cells = about.map((thing) => cellsIn(thing)).find((found) => found.length > 0) ?? [];
    return cells.map((cell) => row(fault, port, cell));
  });
