import { type Destination, destinationKey, destinationOf } from "../destination/destination.ts";
import { compileFilter } from "../destination/filter.ts";

/** What a broker does with the destinations that a filter means. Keys and defaults are the manual's. */
export interface DestinationPolicy {
  /** A destination text, patterns allowed. */
  readonly destination: string;
  /** Each message once: claims in the audit table. */
  readonly enableAudit: boolean;
}

export type PolicyValues = Omit<DestinationPolicy, "destination">;

const defaults: PolicyValues = { enableAudit: true };

/** The one policy that holds for a destination: its own name's, else that of the narrowest pattern, else the first by name (spec W9). */
export const policyFor = (policies: readonly DestinationPolicy[], destination: Destination): PolicyValues => {
  const key = destinationKey(destination);
  const matching = policies.filter((policy) => compileFilter(destinationOf(policy.destination))(destination));
  const [chosen = defaults] = matching.toSorted((a, b) => Number(b.destination === key) - Number(a.destination === key) || byWidth(a, b));
  return chosen;
};

const byWidth = (a: DestinationPolicy, b: DestinationPolicy): number => {
  const [aCovers, bCovers] = [covers(a, b), covers(b, a)];
  return aCovers === bCovers ? (a.destination < b.destination ? -1 : 1) : aCovers ? 1 : -1;
};

const covers = (a: DestinationPolicy, b: DestinationPolicy): boolean =>
  compileFilter(destinationOf(a.destination))(destinationOf(b.destination));
