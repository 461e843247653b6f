import type { PresenceRecord } from "../../presence/presence.ts";
import type { ChoosyEnd, LinkCandidate } from "../../routing/view.ts";
import { clientSubscriptions } from "./client-subscriptions.ts";
import type { DestinationFacts } from "./facts.ts";
import { filtersOf } from "./filters.ts";
import { linkSubscriptions } from "./link-subscriptions.ts";
import type { WantedSubscription } from "./subscriptions.ts";

/** How everybody who subscribes to a topic is served. */
export interface TopicSubscribers {
  readonly wanted: readonly WantedSubscription[];
  /** Ends of clients' subscriptions that have a selector. */
  readonly choosy: readonly ChoosyEnd[];
  readonly links: readonly LinkCandidate[];
  /** Subscriptions that want for one of the filter policies that SNS takes of one topic. */
  readonly unfiltered: number;
}

export const topicSubscribers = (
  facts: Pick<DestinationFacts, "destination" | "slice" | "subscriptions" | "view">,
  subscribed: readonly PresenceRecord[],
  candidates: readonly LinkCandidate[],
  now: number,
): TopicSubscribers => {
  const filters = filtersOf(facts);
  const clients = clientSubscriptions(facts, subscribed, filters);
  const links = linkSubscriptions(facts, candidates, filters, now);
  const needFeed = links.needFeed || clients.some(({ wanted }) => wanted.fed);
  return {
    wanted: [...(needFeed ? [{ target: { to: "feed" } } as const] : []), ...clients.map(({ wanted }) => wanted), ...links.wanted],
    choosy: clients.flatMap(({ choosy }) => choosy ?? []),
    links: links.candidates,
    unfiltered: filters.refused(),
  };
};
