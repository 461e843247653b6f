import { isPermitted, permitsOf } from "../config/permitted.ts";
import type { NetworkConnector } from "../config/slice.ts";
import { consumerAdvisory, consumerAdvisoryPrefix } from "../destination/advisory-topic.ts";
import { partsOf } from "../destination/composite.ts";
import { type Destination, destinationOf } from "../destination/destination.ts";
import { compileFilter } from "../destination/filter.ts";

type Listening = Pick<NetworkConnector, "staticBridge" | "destinationFilter" | "dynamicallyIncludedDestinations">;

/**
 * The consumer advisories that a connector's owner listens to at its peer, as names of topics (spec ADV-4): none over a static bridge;
 * those of `destinationFilter`, which gets the prefix once, in front; else those of the dynamic list; all where that is empty.
 */
export const advisoryFilterOf = ({ staticBridge, destinationFilter, dynamicallyIncludedDestinations }: Listening): readonly string[] => {
  if (staticBridge) return [];
  if (destinationFilter !== undefined) {
    const isWhole = destinationFilter.startsWith(consumerAdvisoryPrefix);
    return (isWhole ? destinationFilter : consumerAdvisoryPrefix + destinationFilter).split(",");
  }
  if (dynamicallyIncludedDestinations.length === 0) return [`${consumerAdvisoryPrefix}>`];
  const listed = dynamicallyIncludedDestinations.flatMap((text) => partsOf(destinationOf(text)));
  return listed.filter(({ kind }) => !kind.startsWith("temp-")).map(consumerAdvisory);
};

/** Does somebody with this filter hear of consumers of the destination? A consumer's pattern is tested as a name (spec W7). */
export const hears = (advisoryFilter: readonly string[], destination: Destination): boolean => {
  const told: Destination = { kind: "topic", name: consumerAdvisory(destination) };
  return advisoryFilter.some((name) => compileFilter({ kind: "topic", name })(told));
};

/** Does demand under this name or pattern mean anything to the connector's owner? One wider than its lists doesn't (spec DEM-1, W7). */
export const mayLearn = (connector: NetworkConnector, destination: Destination): boolean =>
  hears(advisoryFilterOf(connector), destination) && isPermitted(permitsOf(connector), destination);
