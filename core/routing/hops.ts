import { isPermitted, permitsOf } from "../config/permitted.ts";
import type { NetworkConnector } from "../config/slice.ts";
import type { Destination } from "../destination/destination.ts";
import type { BrokerId } from "../ids.ts";
import type { Message } from "../message/message.ts";

/**
 * Shortest distance between two brokers over the connectors that permit the destination; Infinity where no way leads.
 * Distance, not the length of the path: a detour copy that arrives first must not eat the hops of the direct one.
 */
export const hopsBetween = (connectors: readonly NetworkConnector[], destination: Destination, origin: BrokerId, to: BrokerId): number => {
  const open = connectors.filter((connector) => isPermitted(permitsOf(connector), destination));
  let reached = new Set([origin]);
  for (let hops = 0; ; hops += 1) {
    if (reached.has(to)) return hops;
    const next = new Set([...reached, ...open.filter(({ from }) => reached.has(from)).map((connector) => connector.to)]);
    if (next.size === reached.size) return Number.POSITIVE_INFINITY;
    reached = next;
  }
};

/** Hops that a message has spent at a broker which it reached over `path`: never more than the path itself shows. */
export const hopsSpent = (
  { destination }: Pick<Message, "destination">,
  at: BrokerId,
  path: readonly BrokerId[],
  connectors: readonly NetworkConnector[],
): number => Math.min(hopsBetween(connectors, destination, path[0] ?? at, at), path.length);

/** A messageTTL of -1 is no limit, 0 forwards nothing (spec TTL-2, TTL-3). */
export const hopLimit = ({ messageTTL }: NetworkConnector): number => (messageTTL < 0 ? Number.POSITIVE_INFINITY : messageTTL);
