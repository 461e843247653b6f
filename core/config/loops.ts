import type { BrokerId } from "../ids.ts";
import type { NetworkConnector } from "./slice.ts";

/**
 * Loops of three brokers and more along which the TTLs let a message go: for each connector the shortest one through it, each set of brokers once.
 * The last connector of a loop is never taken (it leads to a broker on the path), so a loop of n needs TTLs of n - 1.
 */
export const loopsOf = (connectors: readonly NetworkConnector[]): readonly (readonly BrokerId[])[] => {
  const found = new Map<string, readonly BrokerId[]>();
  for (const connector of connectors) {
    const loop = shortestLoop(connector, connectors);
    if (loop !== undefined) found.set(loop.toSorted().join(" "), found.get(loop.toSorted().join(" ")) ?? loop);
  }
  return [...found.values()];
};

/** Searches in breadth from the far end of `start` for a way back to its owner that isn't its own other direction. */
const shortestLoop = (start: NetworkConnector, connectors: readonly NetworkConnector[]): readonly BrokerId[] | undefined => {
  if (!reaches(start, 0)) return undefined;
  const ways: (readonly BrokerId[])[] = [[start.from, start.to]];
  const visited = new Set<BrokerId>([start.to]);
  for (const way of ways) {
    const last = way.at(-1);
    const hops = way.length - 1;
    for (const next of connectors.filter(({ from }) => from === last)) {
      if (next.to === start.from && hops > 1) return way;
      if (next.to === start.from || visited.has(next.to) || !reaches(next, hops)) continue;
      visited.add(next.to);
      ways.push([...way, next.to]);
    }
  }
  return undefined;
};

const reaches = ({ messageTTL, consumerTTL }: NetworkConnector, hops: number): boolean =>
  [messageTTL, consumerTTL].every((ttl) => ttl === -1 || ttl > hops);
