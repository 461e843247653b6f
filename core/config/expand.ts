import { type Destination, destinationKey, destinationOf, optionsOf } from "../destination/destination.ts";
import { durableQueue, queueFor } from "../destination/durable-queue.ts";
import { isFifo } from "../destination/fifo.ts";
import { type BrokerId, brokerId, linkId } from "../ids.ts";
import type { DeadLetterStrategy } from "../policy/dead-letters.ts";
import type { StoredPolicy } from "../policy/policy.ts";
import { isPermitted, permitsOf } from "./permitted.ts";
import { connectorSchema } from "./schema/connector.ts";
import { forceDurableOption } from "./schema/destination-text.ts";
import { parseLink } from "./schema/link.ts";
import type { BrokerFile, NetworkFile } from "./schema/network.ts";
import { type UnreadKey, withoutUnread } from "./schema/unread.ts";
import type { BrokerSlice, DeclaredConsumer, NetworkConnector } from "./slice.ts";

/** All connectors one-way: a duplex one is the same connector on either broker, a link is a connector with all defaults. */
export const connectorsOf = ({ brokers, links }: NetworkFile): readonly NetworkConnector[] => [
  ...Object.entries(brokers).flatMap(([id, broker]) =>
    broker.networkConnectors.flatMap((connector) => oneWay(id, withoutUnread(connector))),
  ),
  ...links.flatMap((text) => {
    const { from, ...connector } = parseLink(text) ?? { from: "" };
    return oneWay(from, connectorSchema.parse(connector));
  }),
];

type ConnectorFile = Omit<BrokerFile["networkConnectors"][number], UnreadKey>;

const oneWay = (owner: string, connector: ConnectorFile): NetworkConnector[] => {
  const [from, to] = [brokerId(owner), brokerId(connector.to)];
  const there = connectorFrom(from, to, connector);
  return connector.duplex ? [there, connectorFrom(to, from, connector)] : [there];
};

const connectorFrom = (
  from: BrokerId,
  to: BrokerId,
  { duplex, networkTTL, destinationFilter, removed, ...connector }: ConnectorFile,
): NetworkConnector => ({
  ...connector,
  ...(destinationFilter !== undefined && { destinationFilter }),
  ...(removed && { removed }),
  link: linkId(from, connector.name),
  from,
  to,
  messageTTL: connector.messageTTL ?? networkTTL,
  consumerTTL: connector.consumerTTL ?? networkTTL,
  ...forcedOf(connector),
  dynamicallyIncludedDestinations: connector.dynamicallyIncludedDestinations.map(normalized),
  staticallyIncludedDestinations: connector.staticallyIncludedDestinations.map(normalized),
  excludedDestinations: connector.excludedDestinations.map(normalized),
});

/** The filter's keys stand in the policy itself, wherever the file has them. */
export const policyOf = ({
  conditionalNetworkBridgeFilterFactory: filter,
  deadLetterStrategy: strategies,
  ...policy
}: PolicyFile): StoredPolicy => ({
  ...policy,
  ...filter,
  ...(strategies && { deadLetterStrategy: strategyOf(strategies) }),
  destination: normalized(policy.destination),
});

const strategyOf = ({
  sharedDeadLetterStrategy: shared,
  individualDeadLetterStrategy: individual,
}: NonNullable<PolicyFile["deadLetterStrategy"]>): DeadLetterStrategy => {
  if (shared) return { strategy: "shared", ...shared, deadLetterQueue: destinationOf(shared.deadLetterQueue).name };
  return individual ? { strategy: "individual", ...individual } : { strategy: "discarding" };
};
type PolicyFile = BrokerFile["destinationPolicies"][number];

const forcedOf = (
  connector: Pick<ConnectorFile, "dynamicallyIncludedDestinations" | "staticallyIncludedDestinations">,
): Pick<NetworkConnector, "forceDurable"> => {
  const included = [...connector.dynamicallyIncludedDestinations, ...connector.staticallyIncludedDestinations];
  const forceDurable = included.filter((text) => optionsOf(text)[forceDurableOption] === "true").map(normalized);
  return forceDurable.length > 0 ? { forceDurable } : {};
};

/** Those that permit a declared FIFO destination get an ordered way: both ends know it by the configuration that they share. */
export const withOrderedWays = (
  connectors: readonly NetworkConnector[],
  brokers: readonly { readonly queues: readonly string[]; readonly topics: readonly string[] }[],
): readonly NetworkConnector[] => {
  const named = (kind: "queue" | "topic", names: readonly string[]): Destination[] => names.map((name) => ({ kind, name }));
  const declared = brokers.flatMap(({ queues, topics }) => [...named("queue", queues), ...named("topic", topics)]).filter(isFifo);
  return connectors.map((connector) => {
    const permits = permitsOf(connector);
    return declared.some((destination) => isPermitted(permits, destination)) ? { ...connector, fifo: true } : connector;
  });
};

/** The names of the broker's declared destinations: its own, and those that its declared consumers and JMS bridges need. */
export const declaredOf = (
  { queues, topics, consumers }: BrokerFile,
  bridged: readonly Destination[],
): Pick<BrokerSlice, "queues" | "topics" | "removedDestinations" | "spanmqTopics"> => {
  const consumed = consumers.map(({ destination }) => destinationOf(destination));
  const named = [...queues.map(entryOf("queue")), ...topics.map(entryOf("topic"))];
  const all = [...named.map(({ destination }) => destination), ...consumed, ...bridged];
  const namesOf = (kind: "queue" | "topic") => [...new Set(all.filter((it) => it.kind === kind).map(({ name }) => name))];
  const removedDestinations = named.filter(({ removed }) => removed).map(({ destination }) => destinationKey(destination));
  const spanmqTopics = topics.flatMap((topic) => (typeof topic !== "string" && topic.producers === "spanmq" ? [topic.name] : []));
  return {
    queues: namesOf("queue"),
    topics: namesOf("topic"),
    ...(removedDestinations.length > 0 && { removedDestinations }),
    ...(spanmqTopics.length > 0 && { spanmqTopics: spanmqTopics.map((name) => destinationOf(name, "topic").name) }),
  };
};

const entryOf =
  (kind: "queue" | "topic") =>
  (entry: BrokerFile["queues" | "topics"][number]): { readonly destination: Destination; readonly removed: boolean } => {
    const { name, removed } = typeof entry === "string" ? { name: entry, removed: false } : entry;
    return { destination: destinationOf(name, kind), removed };
  };

export const consumersOf = ({ consumers }: BrokerFile): readonly DeclaredConsumer[] =>
  consumers.map(({ clientID, subscriptionName, ...consumer }) => {
    const destination = destinationOf(consumer.destination);
    const durable = clientID !== undefined && subscriptionName !== undefined ? { clientID, subscriptionName } : undefined;
    const own = durable && { durable, ownQueue: queueFor(durableQueue(durable, destination, consumer), destination) };
    return { ...consumer, ...own, destination: destinationKey(destination) };
  });

/** The one way to write a destination: `orders.new` is `queue://orders.new`. */
export const normalized = (text: string): string => destinationKey(destinationOf(text));
