import fc from "fast-check";

const ttl = fc.integer({ min: -1, max: 5 });
const lists = fc.array(fc.constantFrom("orders.>", "topic://prices", "queue://a.*.b", "topic://>"), { maxLength: 3 });

/** A connector without faults, but for the broker it leads to. */
export const someConnector = fc.record(
  {
    name: fc.stringMatching(/^[a-z][a-z0-9-]{0,8}$/),
    networkTTL: ttl,
    messageTTL: ttl,
    consumerTTL: ttl,
    conduitSubscriptions: fc.boolean(),
    decreaseNetworkConsumerPriority: fc.boolean(),
    consumerPriorityBase: fc.integer({ min: -128, max: 127 }),
    suppressDuplicateQueueSubscriptions: fc.boolean(),
    dynamicallyIncludedDestinations: lists,
    staticallyIncludedDestinations: lists,
    excludedDestinations: lists,
    conduitNetworkQueueSubscriptions: fc.boolean(),
    conduitSelectors: fc.constantFrom("union", "ignore"),
    prefetchSize: fc.constantFrom(1, 3, 1_000),
    dynamicOnly: fc.boolean(),
    syncDurableSubs: fc.boolean(),
    staticBridge: fc.boolean(),
    destinationFilter: fc.constantFrom("Queue.>", "Topic.prices"),
    autoStart: fc.boolean(),
  },
  { requiredKeys: [] },
);
