import type { Brain, Stored } from "../ports.ts";
import type { BrainRecords, RecordKind } from "./records.ts";

/** Somebody wrote the record after it was read: what was decided may be stale, so the event is judged anew in a moment. */
export class Contended extends Error {
  constructor(record: string) {
    super(`${record} was written meanwhile; the event is judged anew`);
    this.name = "Contended";
  }
}

/** Seconds until what met somebody comes again, however often it did: whoever was in the way is soon gone. */
export const untilPassed = 2;

/** A write that only makes sense if what it was judged by still holds. */
export const writeJudged = async <K extends RecordKind>(
  brain: Brain,
  kind: K,
  scope: string,
  id: string,
  value: BrainRecords[K] | undefined,
  judgedBy: number,
): Promise<void> => {
  if ((await brain.write(kind, scope, id, value, judgedBy)) === "moved") throw new Contended([kind, scope, id].filter(Boolean).join(" "));
};

/** Is a record that was read again what was written a moment ago, and nobody's who judged by later facts? */
export const isStill = <V>(stored: Stored<V> | undefined, wrote: V): boolean => JSON.stringify(stored?.value) === JSON.stringify(wrote);
