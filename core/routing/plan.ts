import type { Destination } from "../destination/destination.ts";
import type { LinkId } from "../ids.ts";

/** A link has two ways beside each other: one of them keeps order. */
export interface LinkLane {
  readonly link: LinkId;
  /** The way of FIFO destinations. */
  readonly fifo?: true;
}

/** A place that can accept a message. */
export type Target =
  | { readonly to: "queue"; readonly destination: Destination }
  | { readonly to: "private"; readonly queue: string }
  | { readonly to: "topic"; readonly destination: Destination }
  | ({ readonly to: "link" } & LinkLane)
  /** Where copies wait for one link alone. */
  | ({ readonly to: "undelivered" } & LinkLane)
  | { readonly to: "dead-letters" };

/** What a drain pass empties: a resting place into routing, a link's shelter to that link alone. */
export type DrainedPlace = RestingPlace | Extract<Target, { readonly to: "undelivered" }>;

/** Where messages rest: a destination's queue, or the private queue of a consumer that is gone. */
export type RestingPlace = Extract<Target, { readonly to: "queue" | "private" }>;

export type Reason =
  | "local-consumers"
  | "private-queue"
  | "network-demand"
  | "local-subscribers" // hand over
  | "no-consumer"
  | "breaker-open"
  | "behind-resting"
  | "behind-parked"
  | "replay-delay"
  | "sent-anew" // rest
  | "echo"
  | "ttl-spent"
  | "crossed-in-vain"
  | "no-subscriber"
  | "not-permitted"
  | "duplicate" // drop
  | "expired"
  | "undecodable"
  | "too-large"
  | "not-creatable" // dead letter
  | "unknown-destination"
  | "unknown-key"
  | "not-ready"
  | "in-progress"
  | "behind-its-group"
  | "target-refused"
  | "target-silent"; // given back, or parked

interface Rest {
  readonly plan: "rest";
  readonly destination: Destination;
  readonly reason: Reason;
  /** Time alone makes it worth another look then. */
  readonly until?: number;
  /** Links that would get it but for their open breakers. */
  readonly behind?: readonly LinkId[];
}

/** Where a message goes, each step with its reason. One message may have several steps (a composite). */
export type Plan =
  | { readonly plan: "hand-over"; readonly target: Target; readonly destination: Destination; readonly reason: Reason }
  /** The link said nothing: what it may have goes to it alone, when it answers again. */
  | { readonly plan: "park"; readonly link: LinkId; readonly destination: Destination; readonly reason: Reason }
  | Rest
  | { readonly plan: "drop"; readonly reason: Reason }
  | { readonly plan: "dead-letter"; readonly reason: Reason; readonly why?: string }
  | { readonly plan: "later"; readonly reason: Reason; readonly destination?: Destination };
