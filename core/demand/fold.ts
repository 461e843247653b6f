import type { NetworkConnector } from "../config/slice.ts";
import type { DestinationKind } from "../destination/destination.ts";
import type { DemandGroup } from "./demand.ts";

/** The priority of a link's subscription here (spec QUE-6, QUE-7). `hops`: the path with the peer appended. */
export const subscriptionPriority = (connector: NetworkConnector, remote: number, hops: number): number => {
  if (!connector.decreaseNetworkConsumerPriority) return remote;
  return hops === 1 ? connector.consumerPriorityBase : connector.consumerPriorityBase - (hops + 1);
};

/**
 * Conduit folding: many remote consumers seen as one (spec section 6). Of a queue, the peer's own clients fold; its further network
 * consumers count each, unless `conduitNetworkQueueSubscriptions`; of a topic all fold.
 * The answer keeps every group, so that peers can judge each path; a folded group's count is 0, except the first's, which is 1.
 */
export const foldDemand = (connector: NetworkConnector, groups: readonly DemandGroup[], kind: DestinationKind): DemandGroup[] => {
  if (!connector.conduitSubscriptions) return [...groups];
  const folds = (group: DemandGroup): boolean => kind === "topic" || group.path.length === 1 || connector.conduitNetworkQueueSubscriptions;
  const folded = groups.filter(folds).toSorted(byPriority);
  return [...folded.map((group, index) => ({ ...group, count: index === 0 ? 1 : 0 })), ...groups.filter((group) => !folds(group))];
};

const byPriority = (a: DemandGroup, b: DemandGroup): number => b.priority - a.priority || a.path.length - b.path.length;

/** What a link is for routing: its subscriptions by priority, highest first, each with the number of consumers it stands for. */
export const linkShares = (folded: readonly DemandGroup[]): readonly { readonly priority: number; readonly weight: number }[] => {
  const byLevel = Map.groupBy(folded, ({ priority }) => priority);
  const shares = [...byLevel]
    .map(([priority, groups]) => ({ priority, weight: groups.reduce((sum, { count }) => sum + count, 0) }))
    .toSorted((a, b) => b.priority - a.priority);
  const counted = shares.filter(({ weight }) => weight > 0);
  // Every counted group was suppressed or looped away, yet interest is left: one subscription stands for it.
  return counted.length > 0 ? counted : shares.slice(0, 1).map(({ priority }) => ({ priority, weight: 1 }));
};
