import { filterPolicyOf } from "../../selector/filter-policy.ts";
import type { SubscriptionFilter } from "../records.ts";
import type { DestinationFacts } from "./facts.ts";
import { places } from "./places.ts";

/** What SNS filters a topic's subscriptions by. */
export interface Filters {
  /** A subscription's, for its selectors, if they translate and SNS takes one more; it never holds back what one of them accepts. */
  for(id: string, selectors: readonly string[] | undefined): SubscriptionFilter | undefined;
  /** Subscriptions that were refused one for want of room. */
  refused(): number;
}

/** SNS's default quota of one topic. */
const mostPolicies = 200;

export const filtersOf = ({
  destination,
  slice,
  subscriptions,
}: Pick<DestinationFacts, "destination" | "slice" | "subscriptions">): Filters => {
  const place = places(
    mostPolicies,
    subscriptions.filter(({ value }) => value.filter),
  );
  const producers = slice.spanmqTopics?.includes(destination.name) ? "spanmq" : "any";
  let refused = 0;
  return {
    for: (id, selectors) => {
      const translated = selectors && filterPolicyOf(selectors, producers);
      if (!translated || "untranslatable" in translated) return undefined;
      if (place(id)) return { selectors, policy: JSON.stringify(translated.policy) };
      refused += 1;
      return undefined;
    },
    refused: () => refused,
  };
};
