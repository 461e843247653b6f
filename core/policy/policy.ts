import { type Destination, type DestinationKey, destinationKey, destinationOf } from "../destination/destination.ts";
import { compileFilter } from "../destination/filter.ts";
import { indexFilters } from "../destination/filter-index.ts";
import { type DeadLetterStrategy, sendsTo, sharedDeadLetters } from "./dead-letters.ts";

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
  /** Only a consumer here whose selector takes the message keeps it from going back. */
  readonly selectorAware: boolean;
  /** Messages that cross a link in one window; 0: as many as come. */
  readonly rateLimit: number;
  /** Milliseconds of a window. */
  readonly rateDuration: number;
  /** False: all consumers are equal. */
  readonly useConsumerPriority: boolean;
  /** The first consumer with room gets all: equals don't take turns. */
  readonly strictOrderDispatch: boolean;
  readonly deadLetterStrategy: DeadLetterStrategy;
  /** Milliseconds between looks at what rests for what has expired; 0: nobody looks by himself. */
  readonly expireMessagesPeriod: number;
}

export type PolicyValues = Omit<DestinationPolicy, "destination">;
/** As an older version wrote it: without the keys that it didn't know. */
export type StoredPolicy = Pick<DestinationPolicy, "destination"> & Partial<PolicyValues>;

const defaults: PolicyValues = {
  enableAudit: true,
  replayWhenNoConsumers: false,
  replayDelay: 0,
  selectorAware: false,
  rateLimit: 0,
  rateDuration: 1_000,
  useConsumerPriority: true,
  strictOrderDispatch: false,
  deadLetterStrategy: sharedDeadLetters,
  expireMessagesPeriod: 30_000,
};

/**
 * The one policy that holds for a destination: its own name's, else that of a pattern that is no wider than another one which matches; of
 * several the first by name (spec W9), of two lines for the same the first.
 */
export const policyFor = (policies: readonly StoredPolicy[], destination: Destination): PolicyValues => {
  const key = destinationKey(destination);
  const matching = indexOf(policies)(destination);
  const narrowest = matching.filter((one) => !matching.some((other) => isWider(one, other)));
  const chosen = matching.find((one) => one.destination === key) ?? narrowest.toSorted(byName)[0];
  return { ...defaults, ...chosen };
};

const indexOf = (policies: readonly StoredPolicy[]) => {
  const index = indexed.get(policies) ?? indexFilters(policies.map((policy) => [destinationOf(policy.destination), policy]));
  indexed.set(policies, index);
  return index;
};

/** Built once for each list that was read. */
const indexed = new WeakMap<readonly StoredPolicy[], (destination: Destination) => readonly StoredPolicy[]>();

/** The same for a batch, whose messages are of few destinations. */
export const policiesIn = (policies: readonly StoredPolicy[] = []): ((destination: Destination) => PolicyValues) => {
  const known = new Map<DestinationKey, PolicyValues>();
  return (destination) => {
    const key = destinationKey(destination);
    const policy = known.get(key) ?? policyFor(policies, destination);
    known.set(key, policy);
    return policy;
  };
};

/** Is it for dead letters of some policy? Then it is made on first use. */
export const isForDeadLetters = (policies: readonly StoredPolicy[] = [], destination: Destination): boolean =>
  [defaults, ...policies].some(({ deadLetterStrategy }) => deadLetterStrategy !== undefined && sendsTo(deadLetterStrategy, destination));

const isWider = (one: StoredPolicy, other: StoredPolicy): boolean => covers(one, other) && !covers(other, one);

const byName = (a: StoredPolicy, b: StoredPolicy): number => (a.destination === b.destination ? 0 : a.destination < b.destination ? -1 : 1);

const covers = (a: StoredPolicy, b: StoredPolicy): boolean => compileFilter(destinationOf(a.destination))(destinationOf(b.destination));
