import type { DestinationKey } from "../destination/destination.ts";
import type { BrokerId, LinkId } from "../ids.ts";

/** Remote interest of one kind: what a broker tells its peers about one destination, aggregated. */
export interface DemandGroup {
  /** The broker whose clients consume. */
  readonly origin: BrokerId;
  /** Tells groups of one origin apart (by priority and selector): the unit of duplicate suppression. */
  readonly group: string;
  /** Brokers the demand came through, the origin first, nearest last; empty as its own broker publishes it. */
  readonly path: readonly BrokerId[];
  readonly priority: number;
  /** Consumers, as the publishing broker counts them (a conduit counts as one). */
  readonly count: number;
  /** They want what any of these takes; absent: everything. */
  readonly selectors?: readonly string[];
  /** It stands however long its broker is silent: durable subscriptions want it, or a connector on the way treats it so. */
  readonly durable?: Durability;
}

export interface Durability {
  /** None of them has had a subscriber since (clock of the broker where they are); absent: one has. */
  readonly offlineSince?: number;
  /** A link on its path is stopped, or its peer isn't heard: whoever else reaches the same consumers goes first, at every broker alike. */
  readonly waits?: true;
}

/** A broker's published demand for one destination. Withdrawn demand stays as an item without groups for a day. */
export interface DemandRecord {
  readonly destination: DestinationKey;
  /** max(last + 1, clock in ms). */
  readonly version: number;
  readonly groups: readonly DemandGroup[];
  /** The version whose bucket and hints are known to be out; lower: a repeated event repeats them. */
  readonly announced: number;
}

/** What was learnt of a peer's demand over one link; replaced only by a higher version or another table. */
export interface LearntRecord {
  readonly link: LinkId;
  readonly destination: DestinationKey;
  readonly version: number;
  readonly tableId: string;
  readonly groups: readonly DemandGroup[];
  /** The version whose `effective` the consumer's broker was told, or needn't be. */
  readonly told: number;
}

/** 256 bucket versions (bucket = first byte of SHA-256 of the key, two hex digits) and the table's identity. */
export interface DemandRoot {
  readonly tableId: string;
  readonly buckets: Readonly<Record<string, number>>;
}
