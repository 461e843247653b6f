import type { NetworkConnector } from "../../../core/config/slice.ts";
import { isOrdered, means } from "./names.ts";
import { type Policy, type PolicyLine, policyFor } from "./policy.ts";

/** A one-way connector as it is configured, and whether anything goes over it: it is started, and its peer isn't away for good. */
export interface Way extends NetworkConnector {
  readonly isOpen: boolean;
  readonly isStopped: boolean;
  /** When it was first started: what durable demand would have it carry waits while it isn't open; before, its owner doesn't know any. */
  readonly ranSince?: number;
  /** Its owner may think that its peer is away, since what they tell each other is lost and the lease is short. */
  readonly mayLapse: boolean;
}

/** A consumer of one name or pattern: a composite one is several. */
export interface Consumer {
  readonly who: string;
  readonly at: string;
  readonly key: string;
  readonly priority: number;
  /** It reads a queue of its own. */
  readonly isPrivate: boolean;
  readonly selector?: string;
  /** What its own connection publishes isn't for it. */
  readonly noLocal?: true;
  /** It stands, whether or not its client is there. */
  readonly durable?: true;
  /** Since when that has no client. */
  readonly offlineSince?: number;
}

export interface PicturedBroker {
  readonly id: string;
  /** Its peers are told what is wanted here. */
  readonly tells: boolean;
  readonly declared: readonly string[];
  /** Filters of what may be made on first use; absent: what a connector from or to here permits. */
  readonly makes?: readonly string[];
  readonly policies: readonly PolicyLine[];
}

/** Everything that says where messages should go at some moment. */
export interface Picture {
  readonly brokers: readonly PicturedBroker[];
  readonly ways: readonly Way[];
  readonly consumers: readonly Consumer[];
}

export const policyAt = ({ brokers }: Picture, at: string, key: string): Policy =>
  policyFor(brokers.find(({ id }) => id === at)?.policies ?? [], key);

type Lists = Pick<Way, "excludedDestinations" | "staticallyIncludedDestinations" | "dynamicallyIncludedDestinations">;

const any = (filters: readonly string[], key: string): boolean => filters.some((filter) => means(filter, key));

/** Excluded, statically included, dynamically included, in this order (spec DEM-3). */
export const permits = (way: Lists, key: string): boolean =>
  !any(way.excludedDestinations, key) &&
  (any(way.staticallyIncludedDestinations, key) ||
    way.dynamicallyIncludedDestinations.length === 0 ||
    any(way.dynamicallyIncludedDestinations, key));

export const includesAlways = (way: Lists, key: string): boolean =>
  !any(way.excludedDestinations, key) && any(way.staticallyIncludedDestinations, key);

/** Does the way's owner listen to advisories about consumers of this name (spec ADV-4)? */
export const listens = (way: Way, key: string): boolean => {
  if (way.staticBridge) return false;
  const told = advisoryAbout(key);
  if (way.destinationFilter === undefined)
    return (
      way.dynamicallyIncludedDestinations.length === 0 || way.dynamicallyIncludedDestinations.some((one) => means(advisoryAbout(one), told))
    );
  const prefixed = way.destinationFilter.startsWith(prefix) ? way.destinationFilter : `${prefix}${way.destinationFilter}`;
  return prefixed.split(",").some((name) => means(`topic://${name}`, told));
};

const prefix = "ActiveMQ.Advisory.Consumer.";
const advisoryAbout = (key: string): string => `topic://${prefix}${key.replace(/^queue:\/\//, "Queue.").replace(/^topic:\/\//, "Topic.")}`;

/** May the destination stand at this broker: is it declared, or made when somebody wants it? What keeps order is never made. */
export const mayStand = ({ brokers, ways }: Picture, at: string, key: string): boolean => {
  const { declared = [], makes } = brokers.find(({ id }) => id === at) ?? {};
  if (declared.includes(key) || isOrdered(key)) return declared.includes(key);
  return makes ? any(makes, key) : ways.some((way) => (way.from === at || way.to === at) && permits(way, key));
};
