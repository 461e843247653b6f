import type { NetworkInput } from "../../core/config/define-network.ts";
import type { RowsOf } from "../support/histories/fates.ts";
import type { History, Step } from "./history.ts";
import { isOrdered, isPattern, kindOf, means, partsOf } from "./model/names.ts";

type BrokerInput = NetworkInput["brokers"][string];
export type ConnectorInput = NonNullable<BrokerInput["networkConnectors"]>[number];
type Consume = Extract<Step, { step: "consume" }>;

const hops = ({ networkTTL = 1, messageTTL = networkTTL, consumerTTL = networkTTL }: ConnectorInput) => ({ messageTTL, consumerTTL });

const ofConnectors: Readonly<Record<string, (connector: ConnectorInput) => boolean>> = {
  duplex: ({ duplex }) => duplex === true,
  "one-way": ({ duplex }) => duplex !== true,
  conduit: ({ conduitSubscriptions }) => conduitSubscriptions !== false,
  "no conduit": ({ conduitSubscriptions }) => conduitSubscriptions === false,
  "ignored selectors": ({ conduitSubscriptions, conduitSelectors }) => conduitSubscriptions !== false && conduitSelectors === "ignore",
  "network conduit": ({ conduitNetworkQueueSubscriptions }) => conduitNetworkQueueSubscriptions === true,
  "one hop": (connector) => hops(connector).messageTTL === 1,
  "several hops": (connector) => hops(connector).messageTTL > 1,
  "no limit of hops": (connector) => hops(connector).messageTTL < 0,
  "no hop": (connector) => hops(connector).messageTTL === 0,
  "two TTLs": (connector) => hops(connector).messageTTL !== hops(connector).consumerTTL,
  "dynamic include": ({ dynamicallyIncludedDestinations = [] }) => dynamicallyIncludedDestinations.length > 0,
  exclude: ({ excludedDestinations = [] }) => excludedDestinations.length > 0,
  "static include": ({ staticallyIncludedDestinations = [] }) => staticallyIncludedDestinations.length > 0,
  "forced durable": ({ dynamicallyIncludedDestinations = [], staticallyIncludedDestinations = [] }) =>
    [...dynamicallyIncludedDestinations, ...staticallyIncludedDestinations].some((one) => one.endsWith("?forceDurable=true")),
  "dynamic only": ({ dynamicOnly }) => dynamicOnly === true,
  "durable sync": ({ syncDurableSubs }) => syncDurableSubs === true,
  "static bridge": ({ staticBridge }) => staticBridge === true,
  "queue suppression": ({ suppressDuplicateQueueSubscriptions }) => suppressDuplicateQueueSubscriptions === true,
  "no topic suppression": ({ suppressDuplicateTopicSubscriptions }) => suppressDuplicateTopicSubscriptions === false,
  "decreasing priority": ({ decreaseNetworkConsumerPriority }) => decreaseNetworkConsumerPriority === true,
  "destination filter": ({ destinationFilter }) => destinationFilter !== undefined,
  "prefetch size": ({ prefetchSize }) => prefetchSize !== undefined,
  "stopped at the start": ({ autoStart }) => autoStart === false,
};

const ofBrokers: Readonly<Record<string, (broker: BrokerInput) => boolean>> = {
  "no advisories": ({ advisorySupport }) => advisorySupport === false,
  replay: ({ destinationPolicies = [] }) => destinationPolicies.some(({ replayWhenNoConsumers }) => replayWhenNoConsumers === true),
  "selector-aware replay": ({ destinationPolicies = [] }) => destinationPolicies.some(({ selectorAware }) => selectorAware === true),
  unaudited: ({ destinationPolicies = [] }) => destinationPolicies.some(({ enableAudit }) => enableAudit === false),
  rate: ({ destinationPolicies = [] }) => destinationPolicies.some(({ rateLimit = 0 }) => rateLimit > 0),
  "no priorities": ({ destinationPolicies = [] }) => destinationPolicies.some(({ useConsumerPriority }) => useConsumerPriority === false),
  "strict order": ({ destinationPolicies = [] }) => destinationPolicies.some(({ strictOrderDispatch }) => strictOrderDispatch === true),
  "declared destinations": ({ queues = [], topics = [] }) => queues.length + topics.length > 0,
  "limited making": ({ autoCreateDestinations }) => autoCreateDestinations !== undefined,
  "short lease": ({ peerLease }) => peerLease !== undefined,
};

const ofConsumers: Readonly<Record<string, (consume: Consume) => boolean>> = {
  "queue consumer": ({ destination }) => kindOf(destination) === "queue",
  subscriber: ({ destination }) => kindOf(destination) === "topic",
  "wildcard consumer": ({ destination }) => isPattern(destination),
  "composite consumer": ({ destination }) => partsOf(destination).length > 1,
  "consumer priority": ({ priority = 0 }) => priority !== 0,
  "private queue": ({ prefetchSize }) => prefetchSize !== undefined,
  "queue consumer with a selector": ({ destination, selector }) => selector !== undefined && kindOf(destination) === "queue",
  ordered: ({ destination }) => isOrdered(destination),
  "no local": ({ noLocal }) => noLocal === true,
  "durable subscription": ({ durable }) => durable === true,
  "subscriber with a selector": ({ destination, selector }) => selector !== undefined && kindOf(destination) === "topic",
};

export const consumerFeatures: readonly string[] = Object.keys(ofConsumers);
export const allFeatures: readonly string[] = [
  ...Object.keys(ofConnectors),
  "parallel connectors",
  ...Object.keys(ofBrokers),
  ...consumerFeatures,
];

/** A connector's links: a duplex one has two. */
export const linksOf = ({ brokers }: NetworkInput) =>
  Object.entries(brokers).flatMap(([from, { networkConnectors = [] }]) =>
    networkConnectors.flatMap((connector) => {
      const { name = "NC", to, duplex } = connector;
      return [
        { link: `${from}:${name}`, from, to, connector },
        ...(duplex ? [{ link: `${to}:${name}`, from: to, to: from, connector }] : []),
      ];
    }),
  );

const having = <T>(features: Readonly<Record<string, (one: T) => boolean>>, one: T): string[] =>
  Object.entries(features).flatMap(([feature, has]) => (has(one) ? [feature] : []));

/** A census of feature × fault: a strike counts for what its links, brokers and destinations have, as it mentions them. */
export const rowsOf = ({ network, before, steps }: Pick<History, "network" | "before" | "steps">): RowsOf => {
  const links = linksOf(network);
  const consumers = [...before, ...steps].filter((step) => step.step === "consume");
  const isParallel = ({ from, to }: { readonly from: string; readonly to: string }) =>
    links.filter((other) => other.from === from && other.to === to).length > 1;
  return (fault, _port, about) => {
    const text = JSON.stringify(about);
    const hit = links.filter(({ link }) => text.includes(`"${link}"`));
    const brokers = Object.keys(network.brokers).filter(
      (id) => text.includes(`"${id}"`) || hit.some(({ from, to }) => from === id || to === id),
    );
    const keys = [...text.matchAll(/(?:queue|topic):\/\/[^"\\|]+/g)].flatMap(([key]) => partsOf(key));
    const meant = consumers.filter(({ destination }) => keys.some((key) => means(destination, key) || means(key, destination)));
    const features = [
      ...hit.flatMap(({ connector }) => having(ofConnectors, connector)),
      ...(hit.some(isParallel) ? ["parallel connectors"] : []),
      ...brokers.flatMap((id) => having(ofBrokers, network.brokers[id] as BrokerInput)),
      ...meant.flatMap((consume) => having(ofConsumers, consume)),
    ];
    return [...new Set(features)].map((feature) => `${feature} × ${fault}`);
  };
};
