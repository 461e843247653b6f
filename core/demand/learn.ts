import type { NetworkConnector } from "../config/slice.ts";
import type { BrokerId } from "../ids.ts";
import type { DemandGroup } from "./demand.ts";

export type DemandVerdict =
  | { readonly verdict: "learn"; readonly group: DemandGroup }
  | { readonly verdict: "ignore"; readonly why: "consumer-ttl" | "own-echo" | "durable-unseen" };

/**
 * Is one group of a peer's demand ours to serve? A client of the peer has an empty path; each hop appends the broker it was
 * learnt from (spec DEM-1, TTL-1, TTL-5). A consumerTTL of -1 is no limit. `opensSince`: durable subscriptions whose last subscriber had gone
 * before aren't opened until they have one again.
 */
export const judgeLearnt = (
  group: DemandGroup,
  self: BrokerId,
  connector: NetworkConnector,
  opensSince = Number.NEGATIVE_INFINITY,
): DemandVerdict => {
  const { consumerTTL, to } = connector;
  if (consumerTTL > -1 && group.path.length >= consumerTTL && !isDirect(group, consumerTTL))
    return { verdict: "ignore", why: "consumer-ttl" };
  if (group.path.includes(self) || group.origin === self) return { verdict: "ignore", why: "own-echo" };
  const { offlineSince = Number.POSITIVE_INFINITY } = group.durable ?? {};
  if (offlineSince < opensSince) return { verdict: "ignore", why: "durable-unseen" };
  return { verdict: "learn", group: { ...group, path: [...group.path, to] } };
};

/** TTL 0 doesn't stop a direct client's demand, only its messages (spec TTL-4): it has no path to measure. */
const isDirect = ({ path }: DemandGroup, consumerTTL: number): boolean => consumerTTL === 0 && path.length === 0;

const mostPaths = 64;

/** At most 64 shortest paths per (origin, group): a dense mesh would multiply them without end. */
export const shortestPaths = (groups: readonly DemandGroup[]): DemandGroup[] => {
  const byGroup = Map.groupBy(groups, ({ origin, group }) => `${origin}|${group}`);
  return [...byGroup.values()].flatMap((paths) => paths.toSorted(byRoute).slice(0, mostPaths));
};

/** Fewest hops first; whatever order they came in, always the same. */
export const byRoute = (a: DemandGroup, b: DemandGroup): number => a.path.length - b.path.length || (inFull(a) < inFull(b) ? -1 : 1);

const inFull = ({ path, group }: DemandGroup): string => `${path.join()}|${group}`;
