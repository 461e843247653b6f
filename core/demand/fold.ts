import type { NetworkConnector } from "../config/slice.ts";
import type { DestinationKind } from "../destination/destination.ts";
import type { DemandGroup } from "./demand.ts";
import { byRoute } from "./learn.ts";
import { choosing, covers, unionOf } from "./selectors.ts";

/**
 * Conduit folding: many remote consumers seen as one (spec section 6). Of a queue, the peer's own clients fold; its further network
 * consumers count each, unless `conduitNetworkQueueSubscriptions`; of a topic all fold.
 * The answer keeps every group, so that peers can judge each path; a folded group's count is 0, except the first's, which is 1 and wants
 * what any of them wants. With `conduitSelectors: "ignore"` all want everything, as in the original (spec CND-5).
 */
export const foldDemand = (connector: NetworkConnector, groups: readonly DemandGroup[], kind: DestinationKind): DemandGroup[] => {
  if (!connector.conduitSubscriptions) return [...groups];
  const seen = connector.conduitSelectors === "ignore" ? groups.map((group) => choosing(group, undefined)) : groups;
  const folds = (group: DemandGroup): boolean => kind === "topic" || group.path.length === 1 || connector.conduitNetworkQueueSubscriptions;
  const folded = seen.filter(folds).toSorted(byPriority);
  const union = unionOf(folded);
  return [
    ...folded.map((group, index) => (index === 0 ? { ...choosing(group, union), count: 1 } : { ...group, count: 0 })),
    ...seen.filter((group) => !folds(group)),
  ];
};

const byPriority = (a: DemandGroup, b: DemandGroup): number => b.priority - a.priority || byRoute(a, b);

/** One of a link's subscriptions, as routing sees it: the number of consumers that it stands for, and what they want. */
type LinkShare = Pick<DemandGroup, "priority" | "selectors"> & { readonly weight: number };

/** What a link is for routing: its subscriptions by priority, highest first, those with the same selectors together. */
export const linkShares = (folded: readonly DemandGroup[]): readonly LinkShare[] => {
  const counted = folded.filter(({ count }) => count > 0);
  const alike = Map.groupBy(counted, ({ priority, selectors }) => JSON.stringify([priority, selectors]));
  const shares = [...alike.values()].map((groups) =>
    shareOf(
      groups,
      groups.reduce((sum, { count }) => sum + count, 0),
    ),
  );
  // The counted group that spoke for these was suppressed or looped away: one subscription stands for them.
  const left = folded.filter((group) => group.count === 0 && !covers(counted, group));
  return [...shares, ...(left.length > 0 ? [shareOf(left, 1)] : [])].toSorted((a, b) => b.priority - a.priority);
};

const shareOf = (groups: readonly DemandGroup[], weight: number): LinkShare =>
  choosing<LinkShare>({ priority: Math.max(...groups.map(({ priority }) => priority)), weight }, unionOf(groups));
