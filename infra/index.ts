/** Constructs for other people's CDK apps. */
export { defineNetwork, type NetworkInput } from "../core/config/define-network.ts";
export type { Network } from "../core/config/network.ts";
export { AuditTable, type AuditTableProps } from "./audit-table.ts";
export { BrokerStack, type BrokerStackProps } from "./broker-stack.ts";
export type { BrokerStackOptions } from "./broker-stack-options.ts";
export { buildNetwork } from "./build-network.ts";
export type { DeclaredQueue, DeclaredQueueOptions, QueueConsumerOptions } from "./declared-queue.ts";
export type { DeclaredTopic } from "./declared-topic.ts";
export type { DurableSubscription } from "./durable-subscription.ts";
export { JmsBridge, type JmsBridgeProps } from "./jms-bridge.ts";
export { loadNetwork } from "./network-file.ts";
export { NetworkError, readNetwork } from "./read-network.ts";
