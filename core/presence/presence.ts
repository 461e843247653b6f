import type { DestinationKey } from "../destination/destination.ts";
import type { DurableKey } from "../destination/durable-queue.ts";
import type { ConnectionId } from "../ids.ts";

/** One consumer as its connection announces it. */
export interface ConsumerSpec {
  /** Unique in its connection. */
  readonly id: string;
  /** A destination text: one name, a pattern, or a composite (`queue://a,b`). */
  readonly destination: string;
  readonly priority: number;
  /** Its own prefetch: a queue consumer that sets it gets a private queue. */
  readonly prefetchSize?: number;
  /** The text of its selector; a queue consumer that has one gets a private queue. */
  readonly selector?: string;
  /** Of a topic's consumer: what its own connection publishes isn't for it. */
  readonly noLocal?: boolean;
  /** Of a topic's consumer: it is the subscriber of this durable subscription. */
  readonly durable?: DurableKey;
}

/** A client connection's event: all its consumers, each time. Ordered by `counter`; runs for `leaseMs` from its SentTimestamp. */
export interface ConnectionState {
  readonly connection: ConnectionId;
  readonly counter: number;
  readonly consumers: readonly ConsumerSpec[];
  readonly closed: boolean;
}

/** A connection as control keeps it. A closed one stays a day, so that a late event can't bring it back. */
export interface ConnectionRecord extends ConnectionState {
  readonly leaseUntil: number;
  readonly phase: ConnectionPhase;
  /** Destinations that this state or the one before consumed from. */
  readonly touched: readonly DestinationKey[];
  /** Those of this and earlier states that weren't judged since: what the next event judges, whichever it is. */
  readonly unjudged: readonly DestinationKey[];
  /** Own queues that this state or an earlier one had and that aren't removed yet. */
  readonly ownQueues: readonly OwnQueue[];
  /** Consumers of this state that it may not have. Absent in a record of an older version. */
  readonly refused?: readonly Refusal[];
}

export interface Refusal {
  /** Its id. */
  readonly consumer: string;
  readonly why: string;
}

/** `ended`: its lease ran out, only its topic subscriptions still count. They end 2 minutes later, its queues are removed after 10, it is forgotten after a day. */
export type ConnectionPhase = "live" | "ended" | "unsubscribed" | "removed" | "forgotten";

export interface OwnQueue {
  readonly queue: string;
  /** Private queues are drained into routing before they are removed; ends of topic subscriptions aren't. */
  readonly private: boolean;
  /** It is being removed: its consumer doesn't wake before it is gone. */
  readonly ending?: true;
}

/** One consumer on one destination (a composite's parts are several). */
export interface PresenceRecord {
  /** `<connection>/<consumer>`, `durable/<id of the subscription>`, `declared/<n>` or `discovered`. */
  readonly holder: string;
  readonly destination: DestinationKey;
  readonly priority: number;
  readonly count: number;
  /** Messages it takes in advance; absent: 1000, the manual's default. */
  readonly prefetchSize?: number;
  /** Absent: it wants everything. */
  readonly selector?: string;
  /** The JMS name of the holder's own queue (physical kind `s`): private queue or topic subscription. Absent: the shared queue. */
  readonly ownQueue?: string;
  /** A durable subscription: it is there without a lease, which is its subscriber's. */
  readonly durable?: DurableKey;
  /** Milliseconds since the epoch; absent: declared or discovered, as long as that holds. */
  readonly leaseUntil?: number;
}
