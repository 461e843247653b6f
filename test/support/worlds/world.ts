import type { NetworkPart, Place, QueuePlace, TopicPlace, Whereabouts } from "../../../aws/whereabouts.ts";
import type { NetworkConnector } from "../../../core/config/slice.ts";
import { type BrokerId, brokerId, linkId } from "../../../core/ids.ts";
import type { TransportRecord } from "../../../core/message/message.ts";
import type { MemoryPorts } from "../memory/ports.ts";

/** One broker's ports in a world, and where its things stand. */
export interface BrokerInWorld extends Omit<MemoryPorts, "passes"> {
  readonly where: Whereabouts;
}

/** Two brokers on one cloud, joined by a connector from `us` to `eu`; nothing exists yet. The contract suites run in any world. */
export interface World {
  readonly us: BrokerInWorld;
  readonly eu: BrokerInWorld;
  /** Makes a queue or topic behind the ports' back. */
  make(place: Place): Promise<void>;
  /** Removes a queue behind the ports' back. */
  remove(place: QueuePlace): Promise<void>;
  /** Subscribes a queue behind the ports' back; answers the arn. */
  subscribe(topic: TopicPlace, queue: QueuePlace): Promise<string>;
  exists(place: Place): Promise<boolean>;
  /** Receives and deletes all that is visible. */
  drain(place: QueuePlace): Promise<readonly TransportRecord[]>;
}
export type OpenWorld = () => Promise<World>;

export const us = brokerId("us");
export const eu = brokerId("eu");
export const usToEu = linkId(us, "us-eu");

/** A network of its own for each world: worlds on one emulator don't meet. */
export const networkSeenFrom = (broker: BrokerId, network: string): NetworkPart => ({
  network,
  broker,
  brokers: [
    { id: us, region: "us-east-1", account: "000000000000" },
    { id: eu, region: "eu-west-1", account: "000000000000" },
  ],
  connectors: [connector],
});

const connector: NetworkConnector = {
  link: usToEu,
  name: "us-eu",
  from: us,
  to: eu,
  messageTTL: 1,
  consumerTTL: 1,
  conduitSubscriptions: true,
  conduitNetworkQueueSubscriptions: true,
  decreaseNetworkConsumerPriority: false,
  consumerPriorityBase: 0,
  suppressDuplicateQueueSubscriptions: false,
  suppressDuplicateTopicSubscriptions: true,
  dynamicallyIncludedDestinations: [],
  staticallyIncludedDestinations: [],
  excludedDestinations: [],
  staticBridge: false,
  autoStart: true,
};
