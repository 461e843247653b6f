import { consumerAdvisory, consumerAdvisoryPrefix } from "../destination/advisory-topic.ts";
import { destinationKey, destinationOf } from "../destination/destination.ts";
import { compileFilter, isPattern } from "../destination/filter.ts";
import { brokerId } from "../ids.ts";
import type { JmsBridgeConfig } from "./jms-bridge.ts";
import { loopsOf } from "./loops.ts";
import type { BrokerConfig } from "./network.ts";
import { isPermitted, permitsOf } from "./permitted.ts";
import type { NetworkFile } from "./schema/network.ts";
import { isUnread } from "./schema/unread.ts";
import type { NetworkConnector } from "./slice.ts";
import type { ConfigWarning } from "./warning.ts";

export const warningsOf = (
  brokers: readonly BrokerConfig[],
  connectors: readonly NetworkConnector[],
  jmsBridges: readonly JmsBridgeConfig[],
): readonly ConfigWarning[] => [
  ...jmsBridges.flatMap((bridge) => unlinked(bridge, connectors)),
  ...parallelLinks(connectors),
  ...loopsOf(connectors).map((loop) => ({ warning: "loop", brokers: loop }) as const),
  ...brokers.flatMap(consumersOfRemoved),
  ...connectors.flatMap(deafFilters),
  ...connectors.flatMap((connector) =>
    staticPatterns(
      connector,
      brokers.find(({ id }) => id === connector.from),
    ),
  ),
];

/** Keys that files of ActiveMQ's have and that set nothing here. */
export const unreadIn = ({ brokers }: NetworkFile): readonly ConfigWarning[] =>
  Object.entries(brokers).flatMap(([id, { networkConnectors }]) =>
    networkConnectors.flatMap((connector) =>
      Object.keys(connector)
        .filter(isUnread)
        .map((key) => ({ warning: "unread-key", broker: brokerId(id), connector: connector.name, key }) as const),
    ),
  );

/** Keys go with the hellos of a connector. A plain queue or topic, and one's own ingress, need none. */
const unlinked = (
  { name, owner, target, qualityOfServiceMode }: JmsBridgeConfig,
  connectors: readonly NetworkConnector[],
): ConfigWarning[] => {
  if (qualityOfServiceMode !== "ONCE_AND_ONLY_ONCE" || target.broker === undefined || target.broker === owner) return [];
  if (target.destination.kind !== "queue") return [];
  const isLinked = connectors.some(({ from, to }) => from === owner && to === target.broker);
  return isLinked ? [] : [{ warning: "bridge-unlinked", bridge: name, from: owner, to: target.broker }];
};

const consumersOfRemoved = ({ id, consumers, removedDestinations = [] }: BrokerConfig): ConfigWarning[] => {
  const consumed = new Set(consumers.map(({ destination }) => destinationKey(destinationOf(destination))));
  return removedDestinations
    .filter((key) => consumed.has(key))
    .map((destination) => ({ warning: "consumer-of-removed", broker: id, destination }));
};

const parallelLinks = (connectors: readonly NetworkConnector[]): ConfigWarning[] =>
  [...Map.groupBy(connectors, ({ from, to }) => `${from} ${to}`).values()].flatMap((group) => {
    const sharing = group.filter((one) => group.some((other) => other !== one && mayShare(one, other)));
    const [first] = sharing;
    return first ? [{ warning: "parallel-links", from: first.from, to: first.to, links: sharing.map(({ link }) => link) }] : [];
  });

/** Does some destination cross by both, as far as their lists tell? */
const mayShare = (one: NetworkConnector, other: NetworkConnector): boolean =>
  included(one).some((a) =>
    included(other).some((b) => {
      if (!covers(a, b) && !covers(b, a)) return false;
      const narrower = destinationOf(covers(a, b) ? b : a);
      return [one, other].every((connector) => isPermitted(permitsOf(connector), narrower));
    }),
  );

const included = ({
  staticBridge,
  dynamicallyIncludedDestinations,
  staticallyIncludedDestinations,
}: NetworkConnector): readonly string[] => {
  if (staticBridge) return staticallyIncludedDestinations;
  if (dynamicallyIncludedDestinations.length === 0) return ["queue://>", "topic://>"];
  return [...dynamicallyIncludedDestinations, ...staticallyIncludedDestinations];
};

const covers = (pattern: string, text: string): boolean => compileFilter(destinationOf(pattern))(destinationOf(text));

/** Parts of a filter that no consumer's advisory can match: only the first one gets the prefix by itself. */
const deafFilters = ({ link, destinationFilter }: NetworkConnector): ConfigWarning[] => {
  if (destinationFilter === undefined) return [];
  const [first = "", ...others] = destinationFilter.split(",");
  const parts = [first.startsWith(consumerAdvisoryPrefix) ? first : consumerAdvisoryPrefix + first, ...others];
  return parts.filter(isDeaf).map((part) => ({ warning: "deaf-filter", link, part: part.replace(consumerAdvisoryPrefix, "") }));
};

const isDeaf = (part: string): boolean => {
  const name =
    part
      .split(".")
      .slice(prefixElements)
      .map((element) => (/^[*>]$/.test(element) ? "x" : element))
      .join(".") || "x";
  return !(["queue", "topic"] as const).some((kind) => covers(`topic://${part}`, `topic://${consumerAdvisory({ kind, name })}`));
};
/** `ActiveMQ.Advisory.Consumer.Queue`. */
const prefixElements = 4;

const staticPatterns = ({ link, staticallyIncludedDestinations }: NetworkConnector, owner: BrokerConfig | undefined): ConfigWarning[] => {
  const declared = [...(owner?.queues ?? []).map((name) => `queue://${name}`), ...(owner?.topics ?? []).map((name) => `topic://${name}`)];
  return staticallyIncludedDestinations
    .filter((pattern) => isPattern(destinationOf(pattern)))
    .map((pattern) => ({ warning: "static-pattern", link, pattern, declared: declared.filter((text) => covers(pattern, text)) }));
};
