import type { BrokerSlice } from "../core/config/slice.ts";
import { type Addresses, addressesOf } from "../core/destination/addresses.ts";
import type { Destination } from "../core/destination/destination.ts";
import { type BrokerId, connectorOf, type LinkId } from "../core/ids.ts";
import type { Hash } from "../core/message/message.ts";
import type { SubscriptionTarget, Views } from "../core/ports.ts";
import type { DrainedPlace, Target } from "../core/routing/plan.ts";

/** A queue or topic and who owns it. */
export type Place = QueuePlace | TopicPlace;
export interface QueuePlace {
  readonly service: "sqs";
  readonly region: string;
  readonly arn: string;
  readonly url: string;
}
export interface TopicPlace {
  readonly service: "sns";
  readonly region: string;
  readonly arn: string;
}
/** A queue of this broker that clients read. */
type OwnQueue = DrainedPlace | Extract<SubscriptionTarget, { readonly to: "own-queue" }>;

/** Where the network's things stand, as seen by one broker; all computed. A link or broker that the configuration lacks is `undefined`. */
export interface Whereabouts {
  readonly own: Addresses;
  brokerOf(broker: BrokerId): Addresses | undefined;
  target(target: Target): Place | undefined;
  topicOf(topic: Destination): TopicPlace;
  queueOf(queue: OwnQueue): QueuePlace;
  inbound(link: LinkId, fifo?: boolean): QueuePlace | undefined;
  undelivered(link: LinkId, fifo?: boolean): QueuePlace | undefined;
  /** Is this where a subscription of ours ends: a client's own queue, the inbound of a link of ours, the feed? */
  isOwnEnd(queueArn: string): boolean;
}

export type NetworkPart = Pick<BrokerSlice, "network" | "broker" | "brokers" | "connectors">;

export const queueAt = (at: Addresses, name: string): QueuePlace => ({
  service: "sqs",
  region: at.place.region,
  arn: at.queueArn(name),
  url: at.queueUrl(name),
});

export const whereaboutsOf = (slice: NetworkPart, hash: Hash): Whereabouts => {
  const brokers = new Map(slice.brokers.map((place) => [place.id, addressesOf(slice.network, place, hash)]));
  const connectors = new Map(slice.connectors.map((connector) => [connector.link, connector]));
  const own = brokers.get(slice.broker);
  if (!own) throw new Error(`broker ${slice.broker} isn't among the brokers of network ${slice.network}: deploy its stack again`);

  const at = (broker: BrokerId, nameAt: (addresses: Addresses) => string) => {
    const addresses = brokers.get(broker);
    return addresses && queueAt(addresses, nameAt(addresses));
  };
  const inbound = (link: LinkId, fifo = false) => {
    const connector = connectors.get(link);
    return connector && at(connector.to, (peer) => peer.inboundQueue(connector.from, connector.name, fifo));
  };
  const undelivered = (link: LinkId, fifo = false) => {
    const connector = connectors.get(link);
    return connector && at(connector.from, (owner) => owner.undeliveredQueue(connector.name, fifo));
  };
  const topicOf = (topic: Destination): TopicPlace => ({ service: "sns", region: own.place.region, arn: own.topicArn(own.nameOf(topic)) });
  const nameOf = (queue: OwnQueue): string => {
    if (queue.to === "queue") return own.nameOf(queue.destination);
    return queue.to === "undelivered" ? own.undeliveredQueue(connectorOf(queue.link), queue.fifo) : own.ownQueue(queue.queue);
  };
  const queueOf = (queue: OwnQueue) => queueAt(own, nameOf(queue));

  const target = (to: Target): Place | undefined => {
    switch (to.to) {
      case "queue":
      case "private":
      case "own-queue":
        return queueOf(to);
      case "topic":
        return topicOf(to.destination);
      case "link":
        return inbound(to.link, to.fifo);
      case "undelivered":
        return undelivered(to.link, to.fifo);
      case "dead-letters":
        return queueAt(own, own.deadLettersQueue);
      default:
        return to satisfies never;
    }
  };

  const ownQueues = own.queueArn(own.ownQueue(""));
  const inbounds = new Set(slice.connectors.filter(({ from }) => from === slice.broker).map(({ link }) => inbound(link)?.arn));
  const feeds = [false, true].map((fifo) => own.queueArn(own.feedQueue(fifo)));
  const isOwnEnd = (arn: string) => arn.startsWith(ownQueues) || inbounds.has(arn) || feeds.includes(arn);

  return { own, isOwnEnd, brokerOf: (broker) => brokers.get(broker), target, topicOf, queueOf, inbound, undelivered };
};

/** Follows the configuration in the brain: computed anew only when a deployment wrote another version. */
export const whereaboutsFrom = (views: Pick<Views, "broker">, hash: Hash): (() => Promise<Whereabouts>) => {
  let known: { readonly version: number; readonly whereabouts: Whereabouts } | undefined;
  return async () => {
    const { version, slice } = await views.broker();
    if (known?.version !== version) known = { version, whereabouts: whereaboutsOf(slice, hash) };
    return known.whereabouts;
  };
};
