import type { DemandGroup, DemandRecord } from "../demand/demand.ts";
import { bucketOf, isForgotten, nextDemand, withBucketBumped } from "../demand/publish.ts";
import { type DestinationKey, destinationOf } from "../destination/destination.ts";
import { wantsHint } from "../link/advisory-filter.ts";
import type { Brain, Events, TableIdentity } from "../ports.ts";
import { writeJudged } from "./contended.ts";
import type { Identity } from "./identity.ts";

export interface AnnouncePorts {
  readonly identity: Identity;
  readonly brain: Brain;
  readonly table: TableIdentity;
  readonly events: Events;
}

/**
 * Materialises what this broker wants of a destination. Order: the item, its bucket's version, hints, then `announced`.
 * Crash window: whatever came before `announced` is repeated; a peer that missed the hints sees the bucket differ.
 */
export const announce = async (ports: AnnouncePorts, key: DestinationKey, groups: readonly DemandGroup[], now: number): Promise<void> => {
  const bucket = bucketOf(key, ports.identity.hash);
  const stored = await ports.brain.read("demand", bucket, key);
  const demand = nextDemand(stored?.value, key, groups, now);
  if (!demand) return;
  if (stored && isForgotten(demand, now)) return writeJudged(ports.brain, "demand", bucket, key, undefined, stored.revision);
  if (demand !== stored?.value) await writeJudged(ports.brain, "demand", bucket, key, demand, stored?.revision ?? 0);
  if (demand.announced < demand.version) await makeKnown(ports, bucket, demand);
};

const makeKnown = async ({ identity, brain, table, events }: AnnouncePorts, bucket: string, demand: DemandRecord): Promise<void> => {
  const { destination, version } = demand;
  const root = await brain.read("root", "", "root");
  await writeJudged(brain, "root", "", "root", withBucketBumped(root?.value, bucket, await table.tableId()), root?.revision ?? 0);
  const peers = (await brain.list("hello", ""))
    .map(({ value }) => value.hello)
    .filter((hello) => wantsHint(hello.advisoryFilter, destinationOf(destination)));
  const listeners = [...new Set(peers.map(({ from }) => from))];
  await events.send(listeners.map((to) => ({ to, event: { event: "hint", from: identity.self, destination, version } })));
  const written = await brain.read("demand", bucket, destination);
  if (written?.value.version === version)
    await writeJudged(brain, "demand", bucket, destination, { ...demand, announced: version }, written.revision);
};
