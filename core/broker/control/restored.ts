import { type DestinationKey, destinationOf } from "../../destination/destination.ts";
import { isPattern } from "../../destination/filter.ts";
import type { Brain, Counters, TableIdentity } from "../../ports.ts";
import { writeJudged } from "../contended.ts";
import { restingCounter } from "../resting.ts";

interface RestoredPorts {
  readonly brain: Brain;
  readonly counters: Counters;
  readonly table: TableIdentity;
}

/** Notes which table this is, so that a restored one is known by it. */
export const noteTable = async ({ brain, table }: Pick<RestoredPorts, "brain" | "table">): Promise<void> => {
  if (!(await brain.read("root", "", "root")))
    await writeJudged(brain, "root", "", "root", { tableId: await table.tableId(), buckets: {} }, 0);
};

/** Is this another table than the one whose demand was published: a backup's, younger than what stands outside it? */
export const isRestored = async ({ brain, table }: Pick<RestoredPorts, "brain" | "table">): Promise<boolean> => {
  const root = await brain.read("root", "", "root");
  return root !== undefined && root.value.tableId !== (await table.tableId());
};

/**
 * What a restored table can't know, before its destinations are judged anew: which subscriptions still stand, and what came to rest.
 * Answers what is to be done once they were judged: peers see another table then, and read all of our demand.
 * Crash window: until then the root has the old id, and the next tick begins again.
 */
export const takeUpRestored = async (
  { brain, counters, table }: RestoredPorts,
  destinations: readonly DestinationKey[],
): Promise<() => Promise<void>> => {
  for (const key of destinations) {
    const destination = destinationOf(key);
    if (isPattern(destination)) continue;
    if (destination.kind === "queue") await counters.add(restingCounter({ to: "queue", destination }), 1);
    else await doubtSubscriptions(brain, key);
  }
  return async () => {
    const root = await brain.read("root", "", "root");
    if (root) await writeJudged(brain, "root", "", "root", { ...root.value, tableId: await table.tableId() }, root.revision);
  };
};

/** To be subscribed once more: SNS answers the same arn where it still stands. */
const doubtSubscriptions = async (brain: Brain, topic: DestinationKey): Promise<void> => {
  for (const { id, value, revision } of await brain.list("subscription", topic))
    if (value.state === "subscribed") await writeJudged(brain, "subscription", topic, id, { ...value, state: "subscribing" }, revision);
};
