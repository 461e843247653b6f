import type { BrokerSlice } from "../config/slice.ts";
import type { DestinationKey } from "../destination/destination.ts";
import type { BrokerId } from "../ids.ts";
import type { Hash } from "../message/message.ts";
import type { PresenceRecord } from "../presence/presence.ts";
import type { DemandGroup, DemandRecord, DemandRoot, Durability } from "./demand.ts";
import { areTooMany } from "./selectors.ts";

/** A destination's bucket: the first byte of SHA-256 of its key, two hex digits. */
export const bucketOf = (destination: DestinationKey, hash: Hash): string => hash(destination).slice(0, 2);

/** Are peers told what is wanted here of a destination? Of one that is being removed they aren't: what they have rests with them or goes elsewhere. */
export const publishes = ({ advisorySupport, removedDestinations = [] }: BrokerSlice, destination: DestinationKey): boolean =>
  advisorySupport && !removedDestinations.includes(destination);

/** This broker's own clients as its peers see them: one group per priority, selector and durability, without a path. */
export const ownDemand = (self: BrokerId, presence: readonly PresenceRecord[], now: number): DemandGroup[] => {
  const selectors = new Set(presence.map(({ selector }) => selector));
  const told = areTooMany(selectors) ? presence.map(({ selector: _, ...one }) => one) : presence;
  return consumersAlike(told, now)
    .map((alike) => ({ origin: self, group: groupOf(alike), path: [], ...alike }))
    .toSorted((a, b) => b.priority - a.priority);
};

type Alike = Pick<DemandGroup, "priority" | "count" | "selectors" | "durable">;

/** Consumers of one priority, selector and durability together. */
const consumersAlike = (presence: readonly PresenceRecord[], now: number): Alike[] =>
  [...Map.groupBy(presence, ({ priority, selector, durable }) => JSON.stringify([priority, selector, durable && true])).values()].map(
    (consumers) => {
      const [{ priority, selector, durable } = { priority: 0 }] = consumers;
      const count = consumers.reduce((sum, one) => sum + one.count, 0);
      return {
        priority,
        count,
        ...(selector !== undefined && { selectors: [selector] }),
        ...(durable && { durable: durabilityOf(consumers, now) }),
      };
    },
  );

const durabilityOf = (durables: readonly PresenceRecord[], now: number): Durability => {
  const last = Math.max(...durables.map(({ leaseUntil = Number.POSITIVE_INFINITY }) => leaseUntil));
  return last > now ? {} : { offlineSince: last };
};

const groupOf = ({ priority, selectors = [], durable }: Alike): string =>
  [`${durable ? "durable " : ""}priority ${priority}`, ...selectors].join(" where ");

/** The next record when what is wanted changed, else the stored one (undefined: nothing was ever wanted). The clock keeps a later version higher. */
export const nextDemand = (
  stored: DemandRecord | undefined,
  destination: DestinationKey,
  groups: readonly DemandGroup[],
  now: number,
): DemandRecord | undefined => {
  if (canonical(stored?.groups ?? []) === canonical(groups)) return stored;
  return { destination, version: Math.max((stored?.version ?? 0) + 1, now), groups, announced: stored?.announced ?? 0 };
};

/** Withdrawn demand stays as an empty item for a day, so that its version is higher than any copy under way. */
export const isForgotten = ({ groups, version, announced }: DemandRecord, now: number): boolean =>
  groups.length === 0 && announced === version && now - version > 24 * 3_600_000;

export const withBucketBumped = (root: DemandRoot | undefined, bucket: string, tableId: string): DemandRoot => ({
  tableId,
  buckets: { ...root?.buckets, [bucket]: (root?.buckets[bucket] ?? 0) + 1 },
});

/** Buckets in which the peer's root and what was applied differ, those that only one of them has included; all when its table is another one. */
export const differingBuckets = (theirs: DemandRoot, applied: DemandRoot | undefined): string[] => {
  const buckets = new Set([...Object.keys(theirs.buckets), ...Object.keys(applied?.buckets ?? {})]);
  return [...buckets]
    .filter((bucket) => applied?.tableId !== theirs.tableId || applied.buckets[bucket] !== theirs.buckets[bucket])
    .toSorted();
};

const canonical = (groups: readonly DemandGroup[]): string =>
  JSON.stringify(
    groups
      .map(({ origin, group, path, priority, count, selectors, durable }) =>
        JSON.stringify([origin, group, path, priority, count, selectors, durable]),
      )
      .toSorted(),
  );
