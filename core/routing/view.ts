import type { Destination } from "../destination/destination.ts";
import type { LinkId } from "../ids.ts";

/** Someone a queue message may go to. `id` is stable: it names the candidate in share counters. */
export type Candidate = LocalCandidate | LinkCandidate;

/** `consumers`: those of one priority on the shared queue; `private`: one with a queue of its own. */
export type LocalCandidate = Ranked & {
  /** Messages it may have waiting (its prefetch) before a lower priority gets some. */
  readonly capacity: number;
} & ({ readonly to: "consumers" } | { readonly to: "private"; readonly queue: string });

/** A link always has capacity, but for what it gets of one batch (`prefetchSize`). */
export type LinkCandidate = Ranked & {
  readonly to: "link";
  readonly link: LinkId;
  /** Static includes alone ask for it: nobody is known to want it there. */
  readonly isStatic?: true;
  /** Topic: messages up to this time (of their own clock) reach it by the feed, too: SNS may still filter by other selectors. */
  readonly fedUntil?: number;
  /** But not what any of these selectors takes: SNS brings that in any case. Absent: nothing is sure. */
  readonly bySns?: readonly string[];
  /** Topic: its rate is limited: all that it gets comes by the feed. */
  readonly paced?: true;
  /** Topic: the link is stopped, and durable demand is behind it: what it would get waits for it. */
  readonly stopped?: true;
};

/** SNS takes nothing of the topic there. */
export const isFedAlone = ({ stopped, paced }: LinkCandidate): boolean => stopped === true || paced === true;

/** The end of a client's topic subscription that doesn't take everything. */
export interface ChoosyEnd {
  readonly queue: string;
  readonly selectors: readonly string[];
  /** The feed hands over to it, SNS doesn't. */
  readonly fed?: true;
}

interface Ranked {
  readonly id: string;
  readonly priority: number;
  readonly weight: number;
  /** It takes what any of these selectors does; absent: everything. */
  readonly selectors?: readonly string[];
}

/** Who gets a topic's messages, as far as somebody else than SNS can deliver to them. */
export interface Subscribers {
  /** Ends of clients' subscriptions, each once; not all, if they are more than a direct delivery has targets. */
  readonly queues: readonly string[];
  /** Links that are started. */
  readonly links: readonly LinkId[];
  /** Somebody whom only SNS reaches is subscribed, or declared to be. */
  readonly foreign: boolean;
}

/** What routing knows of a destination: an already folded picture, written by control, cached about a second by dispatch. */
export interface DestinationView {
  readonly destination: Destination;
  /** Queue: who may get a message. Topic: the links that have demand (their SNS subscriptions carry it). */
  readonly candidates: readonly Candidate[];
  /** Topic: own subscriptions (clients, declared, native) exist, so that a publish reaches somebody. */
  readonly localSubscribers: boolean;
  /** Topic: who is subscribed. Absent in an older view, and until its subscriptions were listed for the first time. */
  readonly subscribers?: Subscribers;
  /** Topic: those of the subscribers that choose, as far as dispatch hands over to them. */
  readonly choosy?: readonly ChoosyEnd[];
  /** Milliseconds since the epoch before which a new topic's subscriptions aren't effective: arrivals are given back until then. */
  readonly readyAt: number;
  /** When its content last changed: effective one cache life later. */
  readonly changedAt: number;
}
