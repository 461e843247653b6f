import type { NetworkConnector } from "../../config/slice.ts";
import { destinationKey } from "../../destination/destination.ts";
import type { LinkId } from "../../ids.ts";
import { linkOf } from "./handing-over.ts";
import type { Bound, Planned } from "./planned.ts";

/** What links get of one batch. One that had its prefetch of a queue is full: others who take a message get it (spec QUE-2). */
export interface Prefetches {
  readonly fullFor: (bound: Bound) => ReadonlySet<LinkId>;
  /** Those beyond a link's prefetch, to be planned anew; where nobody else takes one, it is the link's after all. */
  readonly beyond: (planned: readonly Planned[]) => ReadonlySet<Planned>;
}

export const openPrefetches = (connectors: readonly NetworkConnector[]): Prefetches => {
  const full = new Map<string, ReadonlySet<LinkId>>();
  const got = new Map<string, number>();
  const fullFor = ({ message }: Bound): ReadonlySet<LinkId> => full.get(destinationKey(message.destination)) ?? new Set();
  const beyondOf = (link: LinkId, its: readonly Planned[]): readonly Planned[] => {
    const [first] = its as [Planned];
    if (fullFor(first).has(link)) return [];
    const queue = destinationKey(first.message.destination);
    const before = got.get(`${link}#${queue}`) ?? 0;
    const { prefetchSize = Number.POSITIVE_INFINITY } = connectors.find((one) => one.link === link) ?? {};
    got.set(`${link}#${queue}`, before + its.length);
    if (before + its.length > prefetchSize) full.set(queue, new Set([...fullFor(first), link]));
    return its.slice(Math.max(0, prefetchSize - before));
  };
  return {
    fullFor,
    beyond: (planned) => {
      const crossing = planned.filter(({ plan }) => linkOf(plan) !== undefined);
      const byPlace = Map.groupBy(crossing, ({ plan, message }) => `${linkOf(plan)}#${destinationKey(message.destination)}`);
      return new Set([...byPlace.values()].flatMap((its) => beyondOf(linkOf((its as [Planned])[0].plan) as LinkId, its)));
    },
  };
};
