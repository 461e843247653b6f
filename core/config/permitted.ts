import { type Destination, type DestinationKey, destinationKey, destinationOf } from "../destination/destination.ts";
import { indexFilters } from "../destination/filter-index.ts";
import type { NetworkConnector } from "./slice.ts";

export type Permission =
  | { readonly verdict: "permitted"; readonly by: "static-include" | "dynamic-include" | "default" }
  | { readonly verdict: "not-permitted"; readonly why: "excluded" | "not-included" };

export interface Permits {
  judge(destination: Destination): Permission;
  /** Is the destination included whether or not anybody wants it there? */
  isStatic(destination: Destination): boolean;
  /** Is whatever wants this topic treated as durable? */
  forcesDurable(destination: Destination): boolean;
}

/**
 * May a destination cross this connector? Order: exclude, static include, dynamic include, default (spec DEM-3).
 * A pattern is tested as a name, so an exclude of `local.>` doesn't stop a consumer on `>` (spec W7): the concrete name is
 * tested again when it is known.
 */
export const permitsOf = (connector: NetworkConnector): Permits => {
  const known = compiled.get(connector) ?? compile(connector);
  compiled.set(connector, known);
  return known;
};

/** Filters are compiled once for each connector that was read. */
const compiled = new WeakMap<NetworkConnector, Permits>();

const compile = (connector: NetworkConnector): Permits => {
  const excluded = matcher(connector.excludedDestinations);
  const statics = matcher(connector.staticallyIncludedDestinations);
  const dynamics = matcher(connector.dynamicallyIncludedDestinations);
  const includesAll = connector.dynamicallyIncludedDestinations.length === 0;
  const judge = (destination: Destination): Permission => {
    if (excluded(destination)) return { verdict: "not-permitted", why: "excluded" };
    if (statics(destination)) return { verdict: "permitted", by: "static-include" };
    if (dynamics(destination)) return { verdict: "permitted", by: "dynamic-include" };
    return includesAll ? { verdict: "permitted", by: "default" } : { verdict: "not-permitted", why: "not-included" };
  };
  return {
    judge,
    isStatic: (destination) => !excluded(destination) && statics(destination),
    forcesDurable: matcher(connector.forceDurable ?? []),
  };
};

export const isPermitted = (permits: Permits, destination: Destination): boolean => permits.judge(destination).verdict === "permitted";

/** The destinations and patterns that a connector includes whoever wants them. */
export const staticKeys = ({ staticallyIncludedDestinations }: NetworkConnector): readonly DestinationKey[] =>
  staticallyIncludedDestinations.map((text) => destinationKey(destinationOf(text)));

const matcher = (texts: readonly string[]): ((destination: Destination) => boolean) => {
  const filtersFor = indexFilters(texts.map((text) => [destinationOf(text), text]));
  return (destination) => filtersFor(destination).length > 0;
};
