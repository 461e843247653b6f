import type { Path, Row } from "./guarantee.ts";
import { allMoments } from "./moments.ts";
import { bridges } from "./table/bridge.ts";
import { dispatch } from "./table/dispatch.ts";
import { consumers, producers } from "./table/ends.ts";
import { ordered } from "./table/fifo.ts";
import { drained, redrives } from "./table/passes.ts";
import { unauditedPaths } from "./table/unaudited.ts";

/** What holds of each path, mode and moment. docs/guarantees.md is made of it, and a test plays each row. */
export const guarantees: readonly Path[] = [
  ...producers,
  ...dispatch,
  ...ordered,
  ...drained,
  ...redrives,
  ...unauditedPaths,
  ...bridges,
  ...consumers,
];

/** In the order in which moments may come. */
export const rowsOf = ({ rows }: Pick<Path, "rows">): readonly Row[] =>
  allMoments.flatMap((when) => {
    const outcome = rows[when];
    return outcome ? [{ when, ...outcome }] : [];
  });
