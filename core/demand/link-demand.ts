import { isPermitted, permitsOf } from "../config/permitted.ts";
import type { NetworkConnector } from "../config/slice.ts";
import type { Destination } from "../destination/destination.ts";
import type { BrokerId, LinkId } from "../ids.ts";
import type { DemandGroup } from "./demand.ts";
import { foldDemand } from "./fold.ts";
import { judgeLearnt, shortestPaths } from "./learn.ts";
import { subscriptionPriority } from "./priority.ts";
import { type LinkDemand, suppressDuplicates } from "./suppress.ts";

/** What one of our links brings for a destination: groups as the peer published them, and whether we include it statically. */
export interface LinkSource {
  readonly connector: NetworkConnector;
  readonly groups: readonly DemandGroup[];
  readonly isStatic: boolean;
  /** The peer isn't heard, or the link is stopped: only what is durable counts. */
  readonly waits?: "silent" | "stopped";
  /** @default - every durable subscription is opened */
  readonly opensSince?: number;
}

/**
 * The demand that this broker serves for a destination, by link, folded: permitted, within consumerTTL, no echo, at most 64 paths,
 * no second route to the same consumers. Links without demand are absent.
 */
export const linkDemandOf = (
  self: BrokerId,
  destination: Destination,
  sources: readonly LinkSource[],
): ReadonlyMap<LinkId, readonly DemandGroup[]> => {
  const permitted = sources.filter(({ connector }) => isPermitted(permitsOf(connector), destination));
  const demands = permitted.flatMap((source) => demandsOf(self, destination, source));
  const kept = suppressDuplicates(demands, destination.kind);
  const byConnector = Map.groupBy(kept, ({ connector }) => connector);
  return new Map(
    [...byConnector].map(([connector, own]) => [
      connector.link,
      foldDemand(
        connector,
        own.map(({ group }) => group),
        destination.kind,
      ),
    ]),
  );
};

const demandsOf = (
  self: BrokerId,
  destination: Destination,
  { connector, groups, isStatic, waits, opensSince }: LinkSource,
): LinkDemand[] => {
  const isForced = permitsOf(connector).forcesDurable(destination);
  const learnt = groups
    .map((group) => judgeLearnt(group, self, connector, opensSince))
    .flatMap((verdict) => (verdict.verdict === "learn" ? [isForced ? { durable: {}, ...verdict.group } : verdict.group] : []))
    .filter(({ durable }) => durable || !waits);
  const included = isStatic ? [isForced ? { durable: {}, ...staticGroup(connector) } : staticGroup(connector)] : [];
  return shortestPaths([...learnt, ...included]).map((group) => ({
    connector,
    ...(waits === "silent" && group.durable && { isSilent: true as const }),
    group: {
      ...group,
      ...(waits && group.durable && { durable: { ...group.durable, waits: true as const } }),
      priority: subscriptionPriority(connector, group.priority, group.path.length),
    },
  }));
};

export const isStaticGroup = ({ group }: DemandGroup): boolean => group === "static";

/** A static include is one subscription that nobody's leaving ends (spec DEM-9). */
const staticGroup = ({ to }: NetworkConnector): DemandGroup => ({ origin: to, group: "static", path: [to], priority: 0, count: 1 });
