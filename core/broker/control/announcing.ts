import type { DemandGroup, DemandRecord } from "../../demand/demand.ts";
import { bucketOf, isForgotten, nextDemand, withBucketBumped } from "../../demand/publish.ts";
import { type DestinationKey, destinationOf } from "../../destination/destination.ts";
import { hears } from "../../link/advisory-filter.ts";
import type { Brain, Events, Stored, TableIdentity } from "../../ports.ts";
import { writeJudged } from "../contended.ts";
import type { Identity } from "../identity.ts";

export interface MaterialisePorts {
  readonly identity: Identity;
  readonly brain: Brain;
  readonly table: TableIdentity;
}

/**
 * Writes what this broker wants of a destination where its peers read it: the item (`stored` is what it was judged by), then its bucket's
 * version. Answers the demand whose hints aren't known to be out. The root keeps the id of a table from before a restore until that was
 * taken up. Crash window: until `announced` catches up, a repeated event repeats all of it.
 */
export const materialise = async (
  { identity, brain, table }: MaterialisePorts,
  key: DestinationKey,
  stored: Stored<DemandRecord> | undefined,
  groups: readonly DemandGroup[],
  now: number,
): Promise<DemandRecord | undefined> => {
  const bucket = bucketOf(key, identity.hash);
  const demand = nextDemand(stored?.value, key, groups, now);
  if (!demand) return undefined;
  if (stored && isForgotten(demand, now)) {
    await writeJudged(brain, "demand", bucket, key, undefined, stored.revision);
    return undefined;
  }
  if (demand !== stored?.value) await writeJudged(brain, "demand", bucket, key, demand, stored?.revision ?? 0);
  if (demand.announced === demand.version) return undefined;
  const root = await brain.read("root", "", "root");
  await writeJudged(
    brain,
    "root",
    "",
    "root",
    withBucketBumped(root?.value, bucket, root?.value.tableId ?? (await table.tableId())),
    root?.revision ?? 0,
  );
  return demand;
};

/** Tells the peers that said hello and listen to this destination; one that misses its hint sees the bucket differ at its next tick. */
export const sendHints = async (
  { identity, brain, events }: { readonly identity: Identity; readonly brain: Brain; readonly events: Events },
  { destination, version }: DemandRecord,
): Promise<void> => {
  const hellos = (await brain.list("hello", "")).map(({ value }) => value.hello);
  const listening = hellos.filter(({ advisoryFilter }) => hears(advisoryFilter, destinationOf(destination)));
  const listeners = [...new Set(listening.map(({ from }) => from))];
  await events.send(listeners.map((to) => ({ to, event: { event: "hint", from: identity.self, destination, version } })));
  const bucket = bucketOf(destination, identity.hash);
  const stored = await brain.read("demand", bucket, destination);
  if (stored?.value.version === version)
    await writeJudged(brain, "demand", bucket, destination, { ...stored.value, announced: version }, stored.revision);
};
