import type { DestinationKey } from "../../destination/destination.ts";
import type { Brain } from "../../ports.ts";
import { writeJudged } from "../contended.ts";
import type { DestinationRecord } from "../records.ts";

/** Longer than CloudFormation takes to delete what left the configuration, once it was told here. */
const deleting = 10 * 60_000;

/** When a declared destination that left may be made anew, if somebody wants it. Until then what comes for it waits. */
export const goneUntil = (record: DestinationRecord | undefined): number | undefined =>
  record?.goneAt === undefined ? undefined : record.goneAt + deleting;

/** Forgets it then. Answers whether there was something to forget. */
export const forgetGone = async (brain: Brain, key: DestinationKey, now: number): Promise<boolean> => {
  const stored = await brain.read("destination", "", key);
  const until = goneUntil(stored?.value);
  if (!stored || until === undefined || now < until) return false;
  await writeJudged(brain, "destination", "", key, undefined, stored.revision);
  return true;
};
