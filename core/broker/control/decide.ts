import { permitsOf } from "../../config/permitted.ts";
import type { NetworkConnector } from "../../config/slice.ts";
import type { DemandGroup } from "../../demand/demand.ts";
import { type LinkSource, linkDemandOf } from "../../demand/link-demand.ts";
import { ownDemand, publishes } from "../../demand/publish.ts";
import { isPattern } from "../../destination/filter.ts";
import type { LinkId } from "../../ids.ts";
import { isLive, isSubscribed } from "../../presence/connection.ts";
import type { DestinationView, LinkCandidate } from "../../routing/view.ts";
import { mayCreate } from "../creatable.ts";
import { knownSubscribers, linkCandidates, localCandidates } from "./candidates.ts";
import type { DestinationFacts, LinkFacts } from "./facts.ts";
import { goneUntil } from "./gone.ts";
import { topicSubscribers } from "./subscribers.ts";
import { isDelivered, subscriptionId, type WantedSubscription } from "./subscriptions.ts";

/** What should hold for a destination, by the facts. Carrying it out compares with what exists. */
export interface Decision {
  /** It isn't here, somebody wants it, and we may make it; or we made it, and a sender found it gone. */
  readonly make: boolean;
  /** Of a queue: private queues of live consumers. */
  readonly ownQueues: readonly string[];
  /** Of a topic: who must be subscribed. */
  readonly subscribers: readonly WantedSubscription[];
  /** What dispatch reads; undefined for a pattern, and for what doesn't exist here. */
  readonly view: Omit<DestinationView, "readyAt" | "changedAt"> | undefined;
  /** What our peers read. */
  readonly publish: readonly DemandGroup[];
  /** Of a topic: selectors that SNS might filter by, were there not so many. */
  readonly unfiltered: number;
}

/** `asked`: somebody sent to it. */
export const decideDestination = (facts: DestinationFacts, asked: boolean, now: number): Decision => {
  const { destination, slice } = facts;
  const present = [...facts.exactPresence, ...facts.patternPresence];
  const live = present.filter((presence) => isLive(presence, now));
  const subscribed = present.filter((presence) => isSubscribed(presence, now));
  const sources = facts.links.map((link) => sourceOf(facts, link, "all"));
  const demand = linkDemandOf(slice.broker, destination, sources);
  const named = linkDemandOf(
    slice.broker,
    destination,
    facts.links.map((link) => sourceOf(facts, link, "exact")),
  );
  const wanted = asked || demand.size > 0 || live.length > 0;
  const make = facts.record === undefined ? wanted && mayCreate(slice, destination) : asked && facts.record.owner === "auto";
  const isHere = make || (facts.record !== undefined && goneUntil(facts.record) === undefined);
  const publish = isHere || isPattern(destination) ? publishedDemand(facts, named, now) : [];
  if (!isHere) return { make, ownQueues: [], subscribers: [], view: undefined, publish, unfiltered: 0 };
  const links = linkCandidates(demand, new Set(facts.links.filter(({ stopped }) => stopped).map(({ connector }) => connector.link)));
  const topic = destination.kind === "topic" ? topicSubscribers(facts, subscribed, links, now) : undefined;
  const known = facts.discovered && knownSubscribers(facts.links, subscribed);
  const choosy = topic?.choosy.filter(({ queue, fed }) => fed || known?.queues.includes(queue)) ?? [];
  return {
    make,
    publish,
    ownQueues: destination.kind === "queue" ? live.flatMap(({ ownQueue }) => ownQueue ?? []) : [],
    subscribers: topic?.wanted ?? [],
    unfiltered: topic?.unfiltered ?? 0,
    view: {
      destination,
      candidates: topic ? [...topic.links, ...givingWay(facts, sources, demand, now)] : [...localCandidates(live), ...links],
      // Not only the live: a subscription outlives its lease, so that a pause of its client loses nothing.
      localSubscribers: topic !== undefined && subscribed.length > 0,
      ...(known && { subscribers: known }),
      ...(choosy.length > 0 && { choosy }),
    },
  };
};

/** A way that another one suppresses is one as long as SNS delivers there: on the other one links may still be on their way to be subscribed. */
const givingWay = (
  { slice, destination, links, subscriptions }: DestinationFacts,
  sources: readonly LinkSource[],
  demand: ReadonlyMap<LinkId, readonly DemandGroup[]>,
  now: number,
): readonly LinkCandidate[] => {
  const delivered = new Set(subscriptions.filter(({ value }) => isDelivered(value, now)).map(({ id }) => id));
  const leaving = links
    .filter(({ connector: { link }, stopped }) => !stopped && !demand.has(link) && delivered.has(subscriptionId({ to: "link", link })))
    .map(({ connector }) => connector.link);
  if (leaving.length === 0) return [];
  const all = linkDemandOf(slice.broker, destination, sources.map(unsuppressed));
  return linkCandidates(new Map([...all].filter(([link]) => leaving.includes(link))), new Set());
};

const unsuppressed = (source: LinkSource): LinkSource => ({
  ...source,
  connector: { ...source.connector, suppressDuplicateTopicSubscriptions: false },
});

/** Published under a key is what was wanted under that key: patterns travel as patterns and are expanded by each broker for itself. */
const publishedDemand = (
  { slice, destination, key, exactPresence }: DestinationFacts,
  named: ReadonlyMap<LinkId, readonly DemandGroup[]>,
  now: number,
): DemandGroup[] => {
  if (!publishes(slice, key)) return [];
  // A topic's demand stands as long as the subscriptions here: a pause of the client loses nothing, wherever it was published.
  const counts = destination.kind === "topic" ? isSubscribed : isLive;
  const own = exactPresence.filter((presence) => counts(presence, now));
  return [...ownDemand(slice.broker, own, now), ...[...named.values()].flat()];
};

const sourceOf = (
  { destination, key }: DestinationFacts,
  { connector, away, stopped, closed, ranSince, exact, byPattern }: LinkFacts,
  which: "all" | "exact",
): LinkSource => {
  const records = [...(exact ? [exact.value] : []), ...(which === "all" ? byPattern : [])];
  const isNamed = connector.staticallyIncludedDestinations.includes(key);
  const permits = permitsOf(connector);
  // A stopped one that has run knows what durable demand would have it carry.
  if (closed || (stopped && (connector.removed || ranSince === undefined))) return { connector, groups: [], isStatic: false };
  return {
    connector,
    groups: records.flatMap(({ groups }) => groups),
    ...(stopped ? { waits: "stopped" } : away && { waits: "silent" }),
    ...(opensAll(connector) ? {} : { opensSince: ranSince ?? Number.POSITIVE_INFINITY }),
    isStatic: (which === "all" ? permits.isStatic(destination) : isNamed) && (!stopped || permits.forcesDurable(destination)),
  };
};

/** Also durable subscriptions that the link has never seen a subscriber of. */
const opensAll = ({ dynamicOnly = false, syncDurableSubs = false }: NetworkConnector): boolean => syncDurableSubs && !dynamicOnly;
