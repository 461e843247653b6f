import type { BrainRecords, RecordKind } from "../../../core/broker/records.ts";
import type { BrokerId } from "../../../core/ids.ts";
import { type RateWindow, takenOf } from "../../../core/policy/rate.ts";
import type { Brain, Counters, PeerDemand, Stored, TableIdentity } from "../../../core/ports.ts";

export type MemoryBrain = Brain & Counters & TableIdentity;
/** `all`: every record of a kind, whatever its scope. */
export type OpenBrain = MemoryBrain & { all<K extends RecordKind>(kind: K): readonly BrainRecords[K][] };
export type BackedUpBrain = OpenBrain & { contents(): Contents };

/** A backup: what a table held. */
interface Contents {
  readonly partitions: readonly (readonly [string, readonly Stored<unknown>[]])[];
  readonly counters: readonly (readonly [string, number])[];
  readonly windows: readonly (readonly [string, RateWindow])[];
  readonly revisions: number;
}

const empty: Contents = { partitions: [], counters: [], windows: [], revisions: 0 };

/** Values as a table keeps them: as JSON has them, but copied by hand, which costs a fifth; and frozen, so that nobody changes what the store holds. */
const copy = <T>(value: T): T => {
  if (typeof value !== "object" || value === null) return value;
  if (Array.isArray(value)) return Object.freeze(value.map(copy)) as T;
  const fields: Record<string, unknown> = {};
  for (const [name, field] of Object.entries(value)) if (field !== undefined) fields[name] = copy(field);
  return Object.freeze(fields) as T;
};
const byId = (a: Stored<unknown>, b: Stored<unknown>) => (a.id < b.id ? -1 : 1);

export const memoryBrain = (tableId = "memory-table", from: Contents = empty): BackedUpBrain => {
  const partitions = new Map(from.partitions.map(([key, rows]) => [key, new Map(rows.map((row) => [row.id, row]))]));
  const counters = new Map(from.counters);
  const windows = new Map(from.windows);
  // One clock for all records: one that is made again never looks like its predecessor.
  let revisions = from.revisions;

  const partitionOf = (kind: RecordKind, scope: string) => {
    const key = `${kind}#${scope}`;
    const partition = partitions.get(key) ?? new Map<string, Stored<unknown>>();
    partitions.set(key, partition);
    return partition;
  };

  return {
    read: async <K extends RecordKind>(kind: K, scope: string, id: string) => {
      const stored = partitionOf(kind, scope).get(id);
      return stored as Stored<BrainRecords[K]> | undefined;
    },

    list: async <K extends RecordKind>(kind: K, scope: string) =>
      [...partitionOf(kind, scope).values()].sort(byId) as Stored<BrainRecords[K]>[],

    write: async (kind, scope, id, value, judgedBy) => {
      const partition = partitionOf(kind, scope);
      const stored = partition.get(id);
      if (value === undefined && !stored) return 0;
      if ((stored?.revision ?? 0) !== judgedBy) return "moved";
      if (value === undefined) {
        partition.delete(id);
        return 0;
      }
      partition.set(id, Object.freeze({ id, value: copy(value), revision: ++revisions }));
      return revisions;
    },

    add: async (counter, n) => {
      const total = (counters.get(counter) ?? 0) + n;
      counters.set(counter, total);
      return total;
    },

    take: async (window, n, rate, now) => {
      const { asked, closesAt } = windows.get(window) ?? { asked: 0, closesAt: 0 };
      if (n === 0) return takenOf({ asked, closesAt }, 0, rate, now);
      const taken = closesAt > now ? { asked: asked + n, closesAt } : { asked: n, closesAt: now + rate.duration };
      windows.set(window, taken);
      return takenOf(taken, n, rate, now);
    },

    tableId: async () => tableId,

    all: <K extends RecordKind>(kind: K) =>
      [...partitions]
        .filter(([key]) => key.startsWith(`${kind}#`))
        .flatMap(([, rows]) => [...rows.values()].map(({ value }) => value as BrainRecords[K])),

    contents: () =>
      copy({
        partitions: [...partitions].map(([key, rows]) => [key, [...rows.values()]]),
        counters: [...counters],
        windows: [...windows],
        revisions,
      }),
  };
};

/** Peers' demand, read straight from their brains; a peer without one doesn't answer. */
export const peerDemandOf = (brains: ReadonlyMap<BrokerId, Brain>): PeerDemand => {
  const brainOf = (peer: BrokerId): Brain => {
    const brain = brains.get(peer);
    if (!brain) throw new Error(`broker ${peer} doesn't answer: it has no brain in this test, add one to the map`);
    return brain;
  };
  const root = async (peer: BrokerId) => (await brainOf(peer).read("root", "", "root"))?.value;
  return {
    root,
    bucket: async (peer, bucket) => (await brainOf(peer).list("demand", bucket)).map((stored) => stored.value),
    item: async (peer, bucket, destination) => {
      const answer = await root(peer);
      return answer && { tableId: answer.tableId, record: (await brainOf(peer).read("demand", bucket, destination))?.value };
    },
  };
};
