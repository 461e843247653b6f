import type { BrokerSlice } from "../config/slice.ts";
import type { DemandRecord, DemandRoot, LearntRecord } from "../demand/demand.ts";
import type { Destination, DestinationKey } from "../destination/destination.ts";
import type { BrokerId, LinkId } from "../ids.ts";
import type { LinkRecord } from "../link/link.ts";
import type { Hello, PublicKey } from "../message/hello.ts";
import type { SubscriptionTarget } from "../ports.ts";
import type { DurableSubscription } from "../presence/durable.ts";
import type { ConnectionRecord, PresenceRecord } from "../presence/presence.ts";
import type { DestinationView } from "../routing/view.ts";

/** What dispatch needs besides views: the configuration slice and the keys. Written at deployment and by hellos. */
export interface BrokerItem {
  readonly slice: BrokerSlice;
  /** The configuration's version: the clock at deployment. */
  readonly version: number;
  readonly keys: readonly PublicKey[];
  readonly peerKeys: Readonly<Record<BrokerId, readonly PublicKey[]>>;
  /** Own links whose breaker is open: what would go there rests. */
  readonly breakers?: readonly LinkId[];
  /** Since when the broker is being destroyed (clock): its control makes nothing, answers nobody, and lets events wait. */
  readonly closing?: number;
}

/** A destination that physically exists here. */
export interface DestinationRecord {
  readonly destination: Destination;
  readonly owner: "declared" | "auto";
  readonly madeAt: number;
  /** Of one that is being removed. `left`: messages of a queue, subscriptions of a topic, as they were seen last. */
  readonly removal?: { readonly left?: number };
  /** When it left the configuration (clock): CloudFormation deletes it then, and for a while nothing is made under its name. */
  readonly goneAt?: number;
}

/** SNS's part of what some selectors accept. */
export interface SubscriptionFilter {
  readonly selectors: readonly string[];
  /** Its text at SNS. */
  readonly policy: string;
}

/** One subscription of ours on an own topic, to an own queue of a client, a link's inbound or the feed. */
export interface SubscriptionRecord {
  readonly topic: DestinationKey;
  readonly target: SubscriptionTarget;
  readonly state: "subscribing" | "subscribed" | "removing";
  /** Absent: SNS doesn't know it yet, or never does (`fed`). */
  readonly arn?: string;
  /** The feed hands over to it: SNS isn't asked. */
  readonly fed?: true;
  /** What SNS is told to deliver only; absent: everything. */
  readonly filter?: SubscriptionFilter;
  /** Of a link whose filter was changed: until then the feed hands over to it, too. */
  readonly fedUntil?: number;
  /** But for what any of these selectors takes: every filter that SNS may follow until then lets it pass. Absent: nothing is sure. */
  readonly bySns?: readonly string[];
  readonly effectiveAt: number;
  /**
   * From then on (0: at once) it isn't known whether SNS has it as this says: the table was restored, or somebody else was at it and may have
   * been slow. While it is wanted it is subscribed once more.
   */
  readonly doubtedFrom?: number;
  /** Set when nobody wants it any more: removed 60 s later, unless wanted again. */
  readonly unwantedSince?: number;
}

/** The last listing of a topic's subscriptions. */
export interface DiscoveredRecord {
  /** How many aren't ours. */
  readonly found: number;
  /** 0 until what was found has been judged. */
  readonly lookedAt: number;
  /** Since when listings have said the same. */
  readonly since: number;
}

/** A hello heard from a peer whose connector points here. */
export interface HelloRecord {
  readonly hello: Hello;
  readonly heardAt: number;
}

/** The link `link` has made this version of our demand for a destination effective. */
export interface EffectiveRecord {
  readonly link: LinkId;
  readonly version: number;
}

export interface LeaseRecord {
  readonly until: number;
}

/** How a place was seen last, by its depth. */
export interface Reading {
  readonly at: number;
  readonly isEmpty: boolean;
  /** Since when readings have said the same. */
  readonly since: number;
  readonly receiveLimit?: number;
}

/** Drain passes of one resting place: a lease that keeps them apart, and what the last full round saw, so that it isn't repeated in vain. */
export interface PassRecord {
  readonly pass: string;
  readonly leaseUntil: number;
  readonly round?: {
    readonly counter: number;
    readonly viewRevision: number;
    readonly left: number;
    /** Until then (clock) it isn't worth while to go all the way round again; absent in a record of an older version. */
    readonly restsUntil?: number;
    /** Links whose breaker was open, that something was left for. */
    readonly behind?: readonly LinkId[];
  };
  /** The last pass was cut short: there is more to do. */
  readonly unfinished?: boolean;
  /** When time alone makes another round worth it. */
  readonly dueAt?: number;
  readonly reading?: Reading;
  /** The last carry-over: what was sent before `olderThan` was (or is being) sent anew. */
  readonly carryOver?: { readonly olderThan: number; readonly done: boolean };
  /** When a full round first found nothing at all, and none since found anything. */
  readonly emptySince?: number;
}

/** What the brain table keeps, by kind. Keys: `scope` groups what is listed together, `id` names one. */
export interface BrainRecords {
  broker: BrokerItem;
  /** scope "", id connection */
  connection: ConnectionRecord;
  /** scope destination key (or "patterns"), id `<destination key>|<holder>` */
  presence: PresenceRecord;
  /** scope "", id as `durableId` has it */
  durable: DurableSubscription;
  /** scope "", id destination key */
  destination: DestinationRecord;
  /** scope bucket, id destination key: what peers read */
  demand: DemandRecord;
  /** scope "", id "root": what peers read */
  root: DemandRoot;
  /** scope `<link>#<bucket>` (or `<link>#patterns`), id destination key */
  learnt: LearntRecord;
  /** scope "", id link: the peer's root as far as it was applied */
  seen: DemandRoot;
  /** scope "", id link (of the peer) */
  hello: HelloRecord;
  /** scope "", id link */
  link: LinkRecord;
  /** scope "", id destination key */
  view: DestinationView;
  /** scope topic key, id `link|<link>` or `own|<queue>` */
  subscription: SubscriptionRecord;
  /** scope "", id topic key */
  discovered: DiscoveredRecord;
  /** scope destination key, id link */
  effective: EffectiveRecord;
  /** scope "", id of the resting place */
  pass: PassRecord;
  /** scope "", id destination key (or "tick"): saves work only, every write is conditional anyway */
  lease: LeaseRecord;
}
export type RecordKind = keyof BrainRecords;
