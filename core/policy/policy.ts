import { type Destination, destinationKey, destinationOf } from "../destination/destination.ts";
import { compileFilter } from "../destination/filter.ts";

/** What a broker does with the destinations that a filter means. Keys and defaults are the manual's. */
interface DestinationPolicy {
  /** A destination text, patterns allowed. */
  readonly destination: string;
  /** Each message once: claims in the audit table. */
  readonly enableAudit: boolean;
  /** A queue message may go back to a broker on its path while nobody consumes the queue here. */
  readonly replayWhenNoConsumers: boolean;
  /** Milliseconds that it must have been here before. */
  readonly replayDelay: number;
}

export type PolicyValues = Omit<DestinationPolicy, "destination">;
/** As an older version wrote it: without the keys that it didn't know. */
export type StoredPolicy = Pick<DestinationPolicy, "destination"> & Partial<PolicyValues>;

const defaults: PolicyValues = { enableAudit: true, replayWhenNoConsumers: false, replayDelay: 0 };

/** The one policy that holds for a destination: its own name's, else that of the narrowest pattern, else the first by name (spec W9). */
export const policyFor = (policies: readonly StoredPolicy[], destination: Destination): PolicyValues => {
  const key = destinationKey(destination);
  const matching = policies.filter((policy) => compileFilter(destinationOf(policy.destination))(destination));
  const [chosen] = matching.toSorted((a, b) => Number(b.destination === key) - Number(a.destination === key) || byWidth(a, b));
  return { ...defaults, ...chosen };
};

const byWidth = (a: StoredPolicy, b: StoredPolicy): number => {
  const [aCovers, bCovers] = [covers(a, b), covers(b, a)];
  return aCovers === bCovers ? (a.destination < b.destination ? -1 : 1) : aCovers ? 1 : -1;
};

const covers = (a: StoredPolicy, b: StoredPolicy): boolean => compileFilter(destinationOf(a.destination))(destinationOf(b.destination));
