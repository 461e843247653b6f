import type { NetworkConnector } from "../../core/config/slice.ts";
import type { DemandGroup } from "../../core/demand/demand.ts";
import { brokerId, linkId } from "../../core/ids.ts";

/** One direction `from -> to` with the manual's defaults; sets only what the test is about. */
export const aLinkFrom = (from: string, to: string, fields: Partial<NetworkConnector> = {}): NetworkConnector => {
  const name = fields.name ?? `to-${to}`;
  return {
    name,
    link: linkId(brokerId(from), name),
    from: brokerId(from),
    to: brokerId(to),
    messageTTL: 1,
    consumerTTL: 1,
    conduitSubscriptions: true,
    conduitNetworkQueueSubscriptions: false,
    decreaseNetworkConsumerPriority: false,
    consumerPriorityBase: -5,
    suppressDuplicateQueueSubscriptions: false,
    suppressDuplicateTopicSubscriptions: true,
    dynamicallyIncludedDestinations: [],
    staticallyIncludedDestinations: [],
    excludedDestinations: [],
    staticBridge: false,
    autoStart: true,
    ...fields,
  };
};

/** Demand of clients of the path's first broker, as the last of it is the nearest; an empty path: of broker c itself. */
export const aGroup = (
  path: string,
  fields: Partial<Omit<DemandGroup, "path" | "origin">> & { readonly origin?: string } = {},
): DemandGroup => {
  const brokers = path.split("").map(brokerId);
  const { origin = path[0] ?? "c", ...rest } = fields;
  return { origin: brokerId(origin), group: "priority 0", path: brokers, priority: 0, count: 1, ...rest };
};
