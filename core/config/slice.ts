import type { DestinationKey } from "../destination/destination.ts";
import type { DurableKey } from "../destination/durable-queue.ts";
import type { BrokerPlace } from "../destination/place.ts";
import type { BrokerId, LinkId } from "../ids.ts";
import type { StoredPolicy } from "../policy/policy.ts";
import type { JmsBridgeConfig } from "./jms-bridge.ts";
import type { Network } from "./network.ts";

export type { BrokerPlace } from "../destination/place.ts";

/** One direction: `from` owns it and messages flow `from` → `to`. Duplex was expanded before this point. Keys are the manual's. */
export interface NetworkConnector {
  readonly link: LinkId;
  readonly name: string;
  readonly from: BrokerId;
  readonly to: BrokerId;
  readonly messageTTL: number;
  readonly consumerTTL: number;
  readonly conduitSubscriptions: boolean;
  readonly conduitNetworkQueueSubscriptions: boolean;
  /** Does a conduit take what any of its consumers' selectors takes, or everything? Absent in a slice of an older version: `union`. */
  readonly conduitSelectors?: "union" | "ignore";
  readonly decreaseNetworkConsumerPriority: boolean;
  readonly consumerPriorityBase: number;
  readonly suppressDuplicateQueueSubscriptions: boolean;
  readonly suppressDuplicateTopicSubscriptions: boolean;
  /** Messages of a queue that it gets of one batch before others who take them do. Absent in a slice of an older version: no limit. */
  readonly prefetchSize?: number;
  /** Destination texts (`queue://orders.>`), patterns allowed. */
  readonly dynamicallyIncludedDestinations: readonly string[];
  readonly staticallyIncludedDestinations: readonly string[];
  readonly excludedDestinations: readonly string[];
  /** Entries of the first two lists with the option: demand of plain consumers of these topics is kept as if it were durable. */
  readonly forceDurable?: readonly string[];
  /** Durable subscriptions without a subscriber are never opened when the link starts. Absent in a slice of an older version: false. */
  readonly dynamicOnly?: boolean;
  /** All of them are, not only those that had one since the link first ran. Absent: false. */
  readonly syncDurableSubs?: boolean;
  /** No demand is learnt: only static includes cross. */
  readonly staticBridge: boolean;
  /** Names of consumer advisories to listen to, comma separated; absent: derived from the dynamic list. */
  readonly destinationFilter?: string;
  /** False: stopped until a command starts it. */
  readonly autoStart: boolean;
  /** It permits a FIFO destination that some broker declares: it has a second, ordered way. */
  readonly fifo?: true;
  /** It drains and will be taken away by the next deployment. */
  readonly removed?: boolean;
}

/** A consumer that runs no client of ours (a plain SQS poller, a Lambda): presence by declaration. */
export interface DeclaredConsumer {
  /** The text `queue://orders.new`: one destination, no pattern. */
  readonly destination: string;
  readonly count: number;
  readonly priority: number;
  readonly selector?: string;
  /** It reads by a durable subscription: what peers are told outlasts their silence. */
  readonly durable?: DurableKey;
  /** JMS name of that subscription's queue, where the network subscribes it; absent: somebody else does. */
  readonly ownQueue?: string;
}

/** All that one broker is deployed with. The *shared* part (brokers, connectors) is the same on all; its digest travels in the handshake. */
export interface BrokerSlice {
  readonly network: string;
  readonly broker: BrokerId;
  readonly brokers: readonly BrokerPlace[];
  readonly connectors: readonly NetworkConnector[];
  /** Names of declared destinations, those of declared consumers included. */
  readonly queues: readonly string[];
  readonly topics: readonly string[];
  /** Keys of those that drain and will be taken away by the next deployment; absent: none. */
  readonly removedDestinations?: readonly DestinationKey[];
  /** Declared topics on which nobody but clients of ours publishes; absent: none. */
  readonly spanmqTopics?: readonly string[];
  readonly consumers: readonly DeclaredConsumer[];
  readonly advisorySupport: boolean;
  /** Destination texts that control may make on first use; default: what some connector of this broker permits. */
  readonly autoCreateDestinations: readonly string[] | "permitted";
  /** Seconds from Subscribe until a subscription counts as effective. */
  readonly subscriptionGrace: number;
  /** Seconds of silence after which a peer is no candidate. */
  readonly peerLease: number;
  /** May a deployment delete queues with messages in them? A slice of an older version doesn't say: `retain`. */
  readonly removalPolicy: "retain" | "destroy";
  /** Absent in a slice of an older version. */
  readonly destinationPolicies?: readonly StoredPolicy[];
  /** Those that run here or end here; absent in a slice of an older version. */
  readonly jmsBridges?: readonly JmsBridgeConfig[];
}

/** What `broker` is deployed with. Throws for a broker that the network doesn't have: a mistake of the caller. */
export const sliceFor = ({ network, brokers, connectors, jmsBridges: all }: Network, broker: BrokerId): BrokerSlice => {
  const own = brokers.find(({ id }) => id === broker);
  if (own === undefined) throw new Error(`network ${network} has no broker ${broker}: it has ${brokers.map(({ id }) => id).join(", ")}`);
  const { id: _id, region: _region, account: _account, ...settings } = own;
  const jmsBridges = all.filter(({ owner, target }) => owner === broker || target.broker === broker);
  return {
    network,
    broker,
    brokers: brokers.map(({ id, region, account }) => ({ id, region, account })),
    connectors,
    ...settings,
    jmsBridges,
  };
};

/** The shared part as canonical text, the same on every broker whatever the order in the file: its hash is the digest of the handshake. */
export const sharedPart = (slice: Shared): string => {
  const known = written.get(slice) ?? canonicalPart(slice);
  written.set(slice, known);
  return known;
};

type Shared = Pick<BrokerSlice, "brokers" | "connectors">;
/** Once for each slice that was read: every probe and every answer names its digest. */
const written = new WeakMap<Shared, string>();

const canonicalPart = ({ brokers, connectors }: Shared): string =>
  JSON.stringify({ brokers: texts(brokers), connectors: texts(connectors.map(withListsAsSets)) });

const texts = (items: readonly object[]): readonly string[] => items.map(canonical).toSorted();

const canonical = (value: object): string =>
  JSON.stringify(value, (_key, inner) =>
    typeof inner === "object" && inner !== null && !Array.isArray(inner)
      ? Object.fromEntries(Object.entries(inner).toSorted(([a], [b]) => (a < b ? -1 : 1)))
      : inner,
  );

const withListsAsSets = (connector: NetworkConnector): object =>
  Object.fromEntries(Object.entries(connector).map(([key, value]) => [key, Array.isArray(value) ? [...new Set(value)].toSorted() : value]));
