import type { World } from "../world/network.ts";
import type { QueueAt } from "../world/queues.ts";

/** One way whose speed is measured, and how many times its messages move from queue to queue. */
export interface Way {
  readonly way: "link" | "bridge";
  /** The words of the configuration for how often a message may arrive. */
  readonly mode: "audited" | "enableAudit: false" | "ONCE_AND_ONLY_ONCE" | "DUPLICATES_OK";
  readonly hops: number;
  readonly isAudited: boolean;
  /** Named by the producer, where ingress must be told. */
  readonly destination?: string;
  first(world: World): QueueAt;
  last(world: World): QueueAt;
}

const link = { way: "link", hops: 2, first: ({ a }: World) => a.ingress } as const;
const bridge = { way: "bridge", hops: 1 } as const;

/** Each with the audit and without. */
export const ways: readonly Way[] = [
  { ...link, mode: "audited", isAudited: true, destination: "queue://far", last: ({ b }) => b.queue("far") },
  { ...link, mode: "enableAudit: false", isAudited: false, destination: "queue://swift", last: ({ b }) => b.queue("swift") },
  {
    ...bridge,
    mode: "ONCE_AND_ONLY_ONCE",
    isAudited: true,
    first: ({ a }) => a.queue("exact"),
    last: ({ b }) => b.targetOf("exact"),
  },
  {
    ...bridge,
    mode: "DUPLICATES_OK",
    isAudited: false,
    first: ({ a }) => a.queue("doubling"),
    last: ({ b }) => b.targetOf("doubling"),
  },
];
