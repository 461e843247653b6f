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
  /** The broker's feed, of a FIFO topic the ordered one: dispatch hands over what SNS can't. */
  | { readonly to: "feed" };

/**
 * What a drain pass goes through: a resting place empties into routing, a link's shelter to that link alone; the queue of a durable
 * subscription is only carried over.
 */
export type DrainedPlace = RestingPlace | Extract<Target, { readonly to: "undelivered" | "own-queue" }>;

/** Where messages rest: a destination's queue, or the private queue of a consumer that is gone. */
export type RestingPlace = Extract<Target, { readonly to: "queue" | "private" }>;

/** Why a topic message is published, though it came over a link and might be handed to each subscription. */
export type PublishReason =
  | "local-subscribers"
  | "network-demand"
  | "fifo"
  | "native-subscriber"
  | "link-not-started"
  | "too-many-subscribers"
  | "breaker-open";
type HandOverReason = PublishReason | "local-consumers" | "private-queue" | "known-subscribers" | "selected" | "sent-anew";
/** Somebody wants it, behind a link that may not take it (`judgeForward`). */
type Unreachable = "already-visited" | "ttl-spent";
type RestReason =
  | "no-consumer"
  | Unreachable
  | "breaker-open"
  | "behind-resting"
  | "behind-parked"
  | "replay-delay"
  | "rate-limit"
  | "target-refused"
  | "sent-anew";
export type ParkReason =
  | "rate-limit"
  | "target-silent"
  | "target-refused"
  | "link-removed"
  | "link-stopped"
  | "breaker-open"
  | "behind-parked";
type DropReason = "expired" | "not-permitted" | "echo" | "ttl-spent" | "crossed-in-vain" | "no-subscriber";
type DeadLetterReason = "expired" | "not-permitted" | "undecodable" | "too-large" | "not-creatable";
type LaterReason = "unknown-destination" | "not-ready";

/** Why anything was done with a message; the last of them are found out on the way. */
export type Reason =
  | HandOverReason
  | RestReason
  | ParkReason
  | DropReason
  | DeadLetterReason
  | LaterReason
  | "duplicate"
  | "subscriber-gone"
  | "unknown-key"
  | "in-progress"
  | "behind-its-group"
  | "out-of-time";

interface Rest {
  readonly plan: "rest";
  readonly destination: Destination;
  readonly reason: RestReason;
  /** Time alone makes it worth another look then. */
  readonly until?: number;
  /** Links that would get it but for their open breakers. */
  readonly behind?: readonly LinkId[];
}

interface DeadLetter {
  readonly plan: "dead-letter";
  readonly reason: DeadLetterReason;
  readonly why?: string;
  /** Where its policy wants it. @default - with those that an operator has to look at */
  readonly to?: Destination;
  /** When it expires there; absent: never. */
  readonly expiration?: number;
}

/** Where a message goes, each step with its reason. One message may have several steps (a composite). */
export type Plan =
  | { readonly plan: "hand-over"; readonly target: Target; readonly destination: Destination; readonly reason: HandOverReason }
  /** To each target, under one claim. A retry goes to those that are left of them. */
  | {
      readonly plan: "fan-out";
      readonly targets: readonly Subscriber[];
      readonly destination: Destination;
      readonly reason: HandOverReason;
    }
  /** The link said nothing: what it may have goes to it alone, when it answers again. */
  | {
      readonly plan: "park";
      readonly link: LinkId;
      readonly destination: Destination;
      readonly reason: ParkReason;
      readonly until?: number;
    }
  | Rest
  | { readonly plan: "drop"; readonly reason: DropReason }
  | DeadLetter
  | { readonly plan: "later"; readonly reason: LaterReason; readonly destination?: Destination };
