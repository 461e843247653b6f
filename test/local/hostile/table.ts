import { afterAll } from "vitest";
import type { Hostile } from "../../support/hostile/hostile.ts";
import { seed } from "../../support/hostile/seed.ts";
import type { Ledger } from "../../support/ledger.ts";

/** One line for each run at the file's end, when late doubles have come too: what struck, and how often a message came more than once. */
export const useTable = (): ((layer: Hostile, book: Ledger) => void) => {
  const lines: (() => string)[] = [];
  afterAll(() => {
    process.stdout.write(`hostile ports, seed ${seed}\n${lines.map((line) => `  ${line()}\n`).join("")}`);
  });
  return (layer, book) => {
    const struck = Object.entries(layer.census())
      .filter(([, times]) => times > 0)
      .map(([fault, times]) => `${fault} ${times}`);
    lines.push(() => {
      const { owed, doubles } = book.counts();
      return `${struck.join(", ")}: ${owed} to receive, ${book.missing().length} undelivered, ${doubles} doubles`;
    });
  };
};
