import type { DemandGroup } from "../../demand/demand.ts";
import { linkShares } from "../../demand/fold.ts";
import { isStaticGroup } from "../../demand/link-demand.ts";
import type { LinkId } from "../../ids.ts";
import type { PresenceRecord } from "../../presence/presence.ts";
import { mostTargets } from "../../routing/delivery.ts";
import type { Candidate, LinkCandidate, Subscribers } from "../../routing/view.ts";
import type { LinkFacts } from "./facts.ts";

/**
 * Consumers of the shared queue count by priority, and take whatever is in it: a selector that one declares narrows what peers send. Each
 * consumer with a queue of its own is a candidate of its own.
 */
export const localCandidates = (live: readonly PresenceRecord[]): Candidate[] => {
  const [own, shared] = [live.filter(({ ownQueue }) => ownQueue !== undefined), live.filter(({ ownQueue }) => ownQueue === undefined)];
  return [
    ...[...Map.groupBy(shared, ({ priority }) => priority)].map(([priority, consumers]): Candidate => {
      const weight = consumers.reduce((sum, { count }) => sum + count, 0);
      return { to: "consumers", id: `consumers@${priority}`, priority, weight, capacity: weight * defaultPrefetch };
    }),
    ...own.map(
      ({ ownQueue = "", priority, holder, prefetchSize = defaultPrefetch, selector }): Candidate => ({
        to: "private",
        id: `private:${holder}`,
        priority,
        weight: 1,
        capacity: prefetchSize,
        queue: ownQueue,
        ...(selector !== undefined && { selectors: [selector] }),
      }),
    ),
  ];
};

/** A queue consumer's prefetch by default, as the manual has it. */
const defaultPrefetch = 1_000;

export const linkCandidates = (demand: ReadonlyMap<LinkId, readonly DemandGroup[]>, stopped: ReadonlySet<LinkId>): LinkCandidate[] =>
  [...demand].flatMap(([link, folded]) => {
    const marks = { ...(folded.every(isStaticGroup) && { isStatic: true as const }), ...(stopped.has(link) && { stopped: true as const }) };
    return linkShares(folded).map((share): LinkCandidate => {
      const id = [`link:${link}@${share.priority}`, ...(share.selectors ?? [])].join(" where ");
      return { to: "link", id, ...share, link, ...marks };
    });
  });

/** Only what our client reads has a queue of its own here. */
export const knownSubscribers = (links: readonly LinkFacts[], subscribed: readonly PresenceRecord[]): Subscribers => ({
  queues: [...new Set(subscribed.flatMap(({ ownQueue }) => ownQueue ?? []))].toSorted().slice(0, mostTargets + 1),
  links: links.filter(({ started }) => started).map(({ connector }) => connector.link),
  // Nor does our client read what is declared.
  foreign: subscribed.some(({ ownQueue, leaseUntil }) => ownQueue === undefined || leaseUntil === undefined),
});
