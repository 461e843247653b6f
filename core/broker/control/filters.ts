import type { BrokerSlice } from "../../config/slice.ts";
import type { Destination } from "../../destination/destination.ts";
import type { SubscriptionFilter } from "../records.ts";

/** What SNS can do of these selectors: never less than they accept. */
export const filterFor = (_slice: BrokerSlice, _topic: Destination, _selectors: readonly string[]): SubscriptionFilter | undefined =>
  undefined;
