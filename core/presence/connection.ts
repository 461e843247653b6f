import type { DestinationKey } from "../destination/destination.ts";
import { presenceOf } from "./consumers.ts";
import type { ConnectionPhase, ConnectionRecord, ConnectionState, OwnQueue, PresenceRecord } from "./presence.ts";

const minute = 60_000;
/** A connection's lease, from its event's SentTimestamp. Clients renew each minute. */
const leaseMs = 3 * minute;
const unsubscribeAfter = 2 * minute;
const removeAfter = 10 * minute;
const forgetAfter = 24 * 60 * minute;

export type ConnectionVerdict =
  | { readonly verdict: "ignore"; readonly why: "older" | "closed" }
  /** `changed`: the set of consumers differs, or its lease had run out: its destinations are judged anew. */
  | { readonly verdict: "accept"; readonly record: ConnectionRecord; readonly gone: readonly PresenceRecord[]; readonly changed: boolean };

/**
 * What a connection's event means for what is stored. An equal counter is the same event once more and repeats everything; one that closes
 * takes away all that it names, whether or not that was known.
 */
export const judgeConnection = (
  stored: ConnectionRecord | undefined,
  state: ConnectionState,
  sentAt: number,
  now: number,
): ConnectionVerdict => {
  const ignored = whyIgnored(stored, state);
  if (ignored !== undefined) return { verdict: "ignore", why: ignored };

  // A table that was restored has renewed it, and then meets what was sent long before.
  const leaseUntil = state.closed ? now : Math.max(sentAt + leaseMs, stored?.leaseUntil ?? 0);
  const named = presenceOf(state, leaseUntil);
  const [leaving, after] = state.closed ? [named, []] : [[], named];
  const before = [...(stored ? presenceOf(stored, stored.leaseUntil) : []), ...leaving];
  const kept = new Set(after.map(identity));
  const gone = before.filter((presence) => !kept.has(identity(presence)));
  const known = new Set(before.map(identity));
  const repeated = stored?.counter === state.counter;
  const owed = stored?.unjudged ?? [];
  // Whoever judged meanwhile took it for gone, whether or not a tick has noted that.
  const hadRunOut = stored?.phase !== "live" || phaseOf(stored, now) !== "live";
  const isNew = after.some((presence) => !known.has(identity(presence)));
  const changed = repeated || owed.length > 0 || gone.length > 0 || isNew || hadRunOut;
  const touched = new Set<DestinationKey>([
    ...(repeated ? stored.touched : []),
    ...[...before, ...after].map(({ destination }) => destination),
  ]);
  const consumers = state.closed ? (stored?.consumers ?? state.consumers) : state.consumers;
  return {
    verdict: "accept",
    gone,
    changed,
    record: {
      ...state,
      consumers,
      leaseUntil,
      phase: state.closed ? "unsubscribed" : "live",
      touched: [...touched],
      unjudged: changed ? [...new Set([...touched, ...owed])] : [],
      ownQueues: merge(stored?.ownQueues ?? [], named.flatMap(ownQueueOf)),
    },
  };
};

export const whyIgnored = (stored: ConnectionRecord | undefined, state: ConnectionState): "older" | "closed" | undefined => {
  if (stored && state.counter < stored.counter) return "older";
  return stored?.closed && !state.closed ? "closed" : undefined;
};

/** Which phase a connection is in by our clock. A closed one skips the waiting that an ended lease gets. */
export const phaseOf = ({ closed, leaseUntil }: Pick<ConnectionRecord, "closed" | "leaseUntil">, now: number): ConnectionPhase => {
  const silent = now - leaseUntil;
  if (silent >= forgetAfter) return "forgotten";
  if (closed || silent >= removeAfter) return "removed";
  if (silent >= unsubscribeAfter) return "unsubscribed";
  return silent >= 0 ? "ended" : "live";
};

/** Does this presence count as a consumer? A durable subscription does, whether or not its subscriber is there. */
export const isLive = ({ leaseUntil, durable }: PresenceRecord, now: number): boolean =>
  durable !== undefined || leaseUntil === undefined || now < leaseUntil;

/** Does its topic subscription still stand? It outlives the lease by two minutes, so that a pause of the client loses nothing. */
export const isSubscribed = ({ leaseUntil, durable }: PresenceRecord, now: number): boolean =>
  durable !== undefined || leaseUntil === undefined || now < leaseUntil + unsubscribeAfter;

/** Own queues that no consumer of the connection reads any more: the consumer was closed, or the connection is over. */
export const orphansOf = (record: ConnectionRecord, now: number): OwnQueue[] => {
  const phase = phaseOf(record, now);
  const isOver = phase === "removed" || phase === "forgotten";
  const read = new Set(isOver ? [] : presenceOf(record, 0).map(({ ownQueue }) => ownQueue));
  return record.ownQueues.filter(({ queue }) => !read.has(queue));
};

const identity = ({ holder, destination, priority, ownQueue, selector }: PresenceRecord): string =>
  [destination, holder, priority, ownQueue, selector].join("|");

/** A durable subscription's isn't its subscriber's own. */
const ownQueueOf = ({ destination, ownQueue, durable }: PresenceRecord): OwnQueue[] =>
  ownQueue === undefined || durable ? [] : [{ queue: ownQueue, private: destination.startsWith("queue://") }];

const merge = (known: readonly OwnQueue[], added: readonly OwnQueue[]): OwnQueue[] => [
  ...new Map([...added, ...known].map((own) => [own.queue, own])).values(),
];
