import type { BrokerSlice } from "../../config/slice.ts";
import type { Destination } from "../../destination/destination.ts";
import { filterPolicyOf } from "../../selector/filter-policy.ts";
import type { SubscriptionFilter } from "../records.ts";

/** What SNS can do of these selectors: it never holds back what one of them accepts. */
export const filterFor = (
  { spanmqTopics = [] }: BrokerSlice,
  { name }: Destination,
  selectors: readonly string[],
): SubscriptionFilter | undefined => {
  const translated = filterPolicyOf(selectors, spanmqTopics.includes(name) ? "spanmq" : "any");
  return "policy" in translated ? { selectors, policy: JSON.stringify(translated.policy) } : undefined;
};
