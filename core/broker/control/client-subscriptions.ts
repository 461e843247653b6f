import { hasFeedFor } from "../../config/feeds.ts";
import type { PresenceRecord } from "../../presence/presence.ts";
import { mostTargets } from "../../routing/delivery.ts";
import type { ChoosyEnd } from "../../routing/view.ts";
import type { DestinationFacts } from "./facts.ts";
import type { Filters } from "./filters.ts";
import { places } from "./places.ts";
import { subscriptionId, type WantedSubscription } from "./subscriptions.ts";

export interface ClientSubscription {
  readonly wanted: WantedSubscription;
  /** Of one that has a selector. */
  readonly choosy?: ChoosyEnd;
}

/**
 * One that chooses has a filter at SNS if its selector translates, else the feed serves it, or, where that has enough to serve, its client
 * chooses among everything. What it has it keeps: it would miss messages on the way from one to the other.
 */
export const clientSubscriptions = (
  { destination, slice, subscriptions }: Pick<DestinationFacts, "destination" | "slice" | "subscriptions">,
  subscribed: readonly PresenceRecord[],
  filters: Filters,
): readonly ClientSubscription[] => {
  const rows = new Map(subscriptions.map(({ id, value }) => [id, value]));
  const hasFeed = hasFeedFor(slice, destination);
  const feeding = places(
    mostTargets,
    subscriptions.filter(({ value }) => value.fed),
  );
  const selectors = new Map(
    subscribed.flatMap(({ ownQueue, selector }) => (ownQueue === undefined ? [] : [[ownQueue, selector] as const])),
  );
  return [...selectors].map(([queue, selector]): ClientSubscription => {
    const target = { to: "own-queue", queue } as const;
    if (selector === undefined) return { wanted: { target } };
    const id = subscriptionId(target);
    const row = rows.get(id);
    const filter = row?.fed && hasFeed ? undefined : filters.for(id, [selector]);
    const fed = !filter && hasFeed && (row === undefined || row.fed) && feeding(id);
    return {
      wanted: { target, ...(filter && { filter }), ...(fed && { fed }) },
      choosy: { queue, selectors: [selector], ...(fed && { fed }) },
    };
  });
};
