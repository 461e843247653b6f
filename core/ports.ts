import type { ControlEvent, PassOrder } from "./broker/events.ts";
import type { BrainRecords, BrokerItem, RecordKind } from "./broker/records.ts";
import type { DemandRecord, DemandRoot } from "./demand/demand.ts";
import type { Destination, DestinationKey } from "./destination/destination.ts";
import type { BrokerId } from "./ids.ts";
import type { Hello, PublicKey } from "./message/hello.ts";
import type { TransportRecord, WireMessage } from "./message/message.ts";
import type { Rate, Taken } from "./policy/rate.ts";
import type { DrainedPlace, RestingPlace, SubscriptionTarget, Target } from "./routing/plan.ts";
import type { DestinationView } from "./routing/view.ts";

/** A record with the revision a write is judged by; revisions grow with each write of the record. */
export interface Stored<T> {
  readonly id: string;
  readonly value: T;
  readonly revision: number;
}

/**
 * The broker's own records. Reads are strongly consistent; each write is one conditional write.
 * Crash window: none inside a write; between two writes the caller's event comes again and repeats both.
 */
export interface Brain {
  read<K extends RecordKind>(kind: K, scope: string, id: string): Promise<Stored<BrainRecords[K]> | undefined>;
  list<K extends RecordKind>(kind: K, scope: string): Promise<readonly Stored<BrainRecords[K]>[]>;
  /**
   * Writes `value` (`undefined` removes) only if the record still has the revision it was judged by (0: it must be absent). Answers the
   * revision that it has by that (0: none, it is absent). `moved`: somebody wrote meanwhile; read and judge anew.
   */
  write<K extends RecordKind>(
    kind: K,
    scope: string,
    id: string,
    value: BrainRecords[K] | undefined,
    judgedBy: number,
  ): Promise<number | "moved">;
}

/** Atomic counters of the brain table: shares of routing, resting marks, rate windows. */
export interface Counters {
  /** Adds `n` (0 reads, strongly consistent) and answers the new value. A lost answer counts twice: shares shift by one batch, resting is marked once more. */
  add(counter: string, n: number): Promise<number>;
  /**
   * Takes up to `n` (0 reads, strongly consistent) of what a rate's window has left; one that is over opens anew. A lost answer took them in
   * vain: too few go, never too many.
   */
  take(window: string, n: number, rate: Rate, now: number): Promise<Taken>;
}

/** Identity of the brain table: changes when it is restored from a backup. */
export interface TableIdentity {
  tableId(): Promise<string>;
}

/** What dispatch reads, cached about a second, misses too. */
export interface Views {
  broker(): Promise<BrokerItem>;
  read(destinations: readonly DestinationKey[]): Promise<ReadonlyMap<DestinationKey, DestinationView>>;
}

/** Strongly consistent reads of a peer's published demand, across regions and accounts. Throws when the peer doesn't answer. */
export interface PeerDemand {
  root(peer: BrokerId): Promise<DemandRoot | undefined>;
  bucket(peer: BrokerId, bucket: string): Promise<readonly DemandRecord[]>;
  item(
    peer: BrokerId,
    bucket: string,
    destination: DestinationKey,
  ): Promise<{ readonly tableId: string; readonly record: DemandRecord | undefined } | undefined>;
}

export interface HandOver {
  readonly target: Target;
  readonly wire: WireMessage;
  /** Fair-queue group of the hand-over. */
  readonly group?: string;
  /** To a FIFO target: its place among its group, and what tells a repeated call from another message for five minutes. */
  readonly order?: Order;
}
export interface Order {
  /** MessageGroupId. */
  readonly group: string;
  readonly deduplicationId: string;
}
export type HandOverAnswer =
  | { readonly answer: "accepted" }
  /** Proven: the target did not accept. */
  | { readonly answer: "refused"; readonly why: string; readonly cause: "missing" | "too-large" | "denied" | "throttled" | "other" }
  /** A time-out or a broken connection proves nothing: the target may have accepted. */
  | { readonly answer: "silent"; readonly why: string };

/**
 * Hands messages to queues, topics, links and dead letters: answers in the order given, one each, never throws for one.
 * Crash window: accepted but not yet deleted at the source is delivered again (closed by the audit, later).
 */
export interface Targets {
  handOver(handOvers: readonly HandOver[]): Promise<readonly HandOverAnswer[]>;
}

export interface OutgoingEvent {
  readonly to: BrokerId;
  readonly event: ControlEvent;
  /** 0–900. */
  readonly delaySeconds?: number;
}
/**
 * Control queues, our own and the peers'. An event to ourselves that isn't accepted throws (the event at hand comes again);
 * one to a peer is dropped and counted in the answer: the root repeats what it said.
 */
export interface Events {
  send(events: readonly OutgoingEvent[]): Promise<{ readonly dropped: number }>;
}

/** Sends a probe through the link's own inbound queue. */
export interface Probes {
  send(hello: Hello): Promise<"sent" | "no-peer">;
}

export type Resource =
  | { readonly make: "destination"; readonly destination: Destination }
  /** A client's own queue: private queue of a consumer, or the end of its topic subscription; tagged with its record. */
  | { readonly make: "own-queue"; readonly queue: string };

/** Makes and removes what isn't CloudFormation's. Both are idempotent: a repeated event repeats them. */
export interface Resources {
  make(resource: Resource): Promise<void>;
  remove(resource: Resource): Promise<void>;
}

/** A queue or topic that control made, by its physical name. */
export interface MadeThing {
  readonly service: "sqs" | "sns";
  readonly name: string;
}
/**
 * What control has made while the broker ran: found by name, told by its tags from what CloudFormation or anybody else made. The list lags
 * a minute. A removal is idempotent; what SNS was to deliver to a removed queue, and a removed topic's subscriptions, go with it.
 */
export interface MadeThings {
  list(): Promise<readonly MadeThing[]>;
  remove(thing: MadeThing): Promise<void>;
}

/** All messages of a queue of this broker, by its physical name: visible, in flight and delayed; 0 where none is. Lags up to a minute. */
export interface Contents {
  messagesIn(queue: string): Promise<number>;
}

/** Tables that nobody deletes by accident. Lifting is idempotent. */
export interface Protection {
  lift(): Promise<void>;
}

/** The broker's signing key, kept where only its own functions read it. */
export interface SigningKey {
  /** Answers the public half; makes the key if there is none. */
  ensure(): Promise<PublicKey>;
  remove(): Promise<void>;
}

export type { SubscriptionTarget };
/**
 * SNS subscriptions of own topics. Idempotent; calls are limited to 3 s and run under the destination's lease.
 * Crash window: subscribed, arn not stored: subscribing again answers the same arn.
 */
export interface Subscriptions {
  /** Answers the arn, or `pending` while the other account hasn't confirmed. */
  subscribe(topic: Destination, target: SubscriptionTarget): Promise<{ readonly arn: string } | "pending">;
  /** Tells SNS to deliver only what this filter policy lets pass; without one, everything. SNS takes up to fifteen minutes to follow. */
  filter(arn: string, policy?: string): Promise<void>;
  unsubscribe(arn: string): Promise<void>;
  /** Confirms a peer's subscription of our inbound by the token that came through it. */
  confirm(topicArn: string, token: string): Promise<void>;
}

/**
 * Who else is subscribed to an own topic: arns of confirmed subscriptions whose end is neither a queue of our clients nor a link's inbound.
 * Only reads, and lags a little. Not all, where a topic has more than a few hundred. Throws when they can't be listed.
 */
export interface ForeignSubscriptions {
  list(topic: Destination): Promise<readonly string[]>;
}

/** Approximate numbers of messages; they lag up to a minute. A queue that isn't there holds nothing. */
export interface Depths {
  visible(place: DrainedPlace): Promise<number>;
  /** `all`: with those in flight and delayed. `receiveLimit`: how often the queue lets a message be received, if it gives up at all. */
  read(place: DrainedPlace): Promise<{ readonly visible: number; readonly all: number; readonly receiveLimit?: number }>;
}

/** How many messages wait in a local queue: a reading some seconds old plus what this instance handed over since. A tendency, no count. */
export interface Loads {
  read(place: RestingPlace): Promise<number>;
  add(place: RestingPlace, messages: number): void;
}

/** Invokes dispatch asynchronously with a drain order. Crash window: a lost invocation; the pass lease runs out and a tick orders anew. */
export interface Passes {
  start(order: PassOrder): Promise<void>;
}

/** A consumers' queue as a drain pass sees it. Received messages stay invisible for twice the function's timeout. */
export interface RestingQueue {
  /** Up to ten; empty when a short wait found none. */
  receive(place: DrainedPlace): Promise<readonly RestingCopy[]>;
  remove(place: DrainedPlace, copies: readonly RestingCopy[]): Promise<void>;
  giveBack(place: DrainedPlace, copies: readonly RestingCopy[]): Promise<void>;
}
export interface RestingCopy extends TransportRecord {
  readonly receipt: string;
}

/** Gives records of an event source back for a while (visibility), before the batch answers which failed. */
export interface Returns {
  delay(door: string, records: readonly { readonly receipt: string; readonly seconds: number }[]): Promise<void>;
}
