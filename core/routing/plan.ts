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
  /** The end of a client's topic subscription. */
  | { readonly to: "own-queue"; readonly queue: string }
  | { readonly to: "topic"; readonly destination: Destination }
  | ({ readonly to: "link" } & LinkLane)
  /** Where copies wait for one link alone. */
  | ({ readonly to: "undelivered" } & LinkLane)
  | { readonly to: "dead-letters" };

/** A subscriber that dispatch can hand over to itself. */
export type Subscriber = Extract<Target, { readonly to: "own-queue" | "link" }>;

/** What a topic's subscription leads to, if it is one of ours. */
export type SubscriptionTarget =
  | Subscriber
  /** The broker's ordered feed, which takes a FIFO topic's messages to all links that want them. */
  | { readonly to: "feed" };

/** What a drain pass empties: a resting place into routing, a link's shelter to that link alone. */
export type DrainedPlace = RestingPlace | Extract<Target, { readonly to: "undelivered" }>;

/** Where messages rest: a destination's queue, or the private queue of a consumer that is gone. */
export type RestingPlace = Extract<Target, { readonly to: "queue" | "private" }>;

export type Reason =
  | "local-consumers"
  | "private-queue"
  | "network-demand"
  | "local-subscribers" // hand over
  | "known-subscribers" // hand over to each subscription
  | "fifo"
  | "foreign-subscriber"
  | "link-not-started"
  | "too-many-subscribers" // publish, though it came over a link
  | "no-consumer"
  | "breaker-open" // publish, too
  | "behind-resting"
  | "behind-parked"
  | "replay-delay"
  | "sent-anew" // rest
  | "echo"
  | "ttl-spent"
  | "crossed-in-vain"
  | "no-subscriber"
  | "subscriber-gone"
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
  | "link-removed"
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
  /** To each target, under one claim. A retry goes to those that are left of them. */
  | {
      readonly plan: "fan-out";
      readonly targets: readonly Subscriber[];
      readonly destination: Destination;
      readonly reason: Reason;
    }
  /** The link said nothing: what it may have goes to it alone, when it answers again. */
  | { readonly plan: "park"; readonly link: LinkId; readonly destination: Destination; readonly reason: Reason }
  | Rest
  | { readonly plan: "drop"; readonly reason: Reason }
  | { readonly plan: "dead-letter"; readonly reason: Reason; readonly why?: string }
  | { readonly plan: "later"; readonly reason: Reason; readonly destination?: Destination };
