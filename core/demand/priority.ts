import type { NetworkConnector } from "../config/slice.ts";

/** The priority of a link's subscription here (spec QUE-6, QUE-7). `hops`: the path with the peer appended. */
export const subscriptionPriority = (connector: NetworkConnector, remote: number, hops: number): number => {
  if (!connector.decreaseNetworkConsumerPriority) return remote;
  return hops === 1 ? connector.consumerPriorityBase : connector.consumerPriorityBase - (hops + 1);
};
