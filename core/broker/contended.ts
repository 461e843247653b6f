import type { Brain } from "../ports.ts";
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

/** A write that only makes sense if what it was judged by still holds. Answers the record's revision. */
export const writeJudged = async <K extends RecordKind>(
  brain: Brain,
  kind: K,
  scope: string,
  id: string,
  value: BrainRecords[K] | undefined,
  judgedBy: number,
): Promise<number> => {
  const written = await brain.write(kind, scope, id, value, judgedBy);
  if (written === "moved") throw new Contended([kind, scope, id].filter(Boolean).join(" "));
  return written;
};
