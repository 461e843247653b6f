import * as z from "zod";
import type { Concept } from "./concept.ts";
import { destinationText, judgeFilter, judgeInclusion } from "./destination-text.ts";
import { isUnread, unreadKeys } from "./unread.ts";
import { flag, text, whole } from "./values.ts";

const hops = "must be a whole number of hops, or -1 for no limit";
const name = "must be a name of letters, digits, '.', '_' and '-', at most 60, and not end in .fifo";
const advisories = "must be names of consumer advisories, such as `Queue.orders.>`";
const priority = "must be a whole number from -128 to 127";

const filters = (judgeText: typeof judgeFilter) => z.array(destinationText(judgeText), "must be a list of destinations").default([]);

/** A network connector as it is written; keys and defaults are the manual's. */
export const connectorSchema = z.strictObject(
  {
    name: text(name, /^(?!.*\.fifo$)[A-Za-z0-9._-]{1,60}$/)
      .default("NC")
      .describe("Unique among the connectors of its broker."),
    to: z.string("must be the id of a broker").describe("The broker that messages are forwarded to."),
    duplex: flag().default(false).describe("Also forward the other way: short for the same connector on the other broker."),
    networkTTL: whole(hops, -1).default(1).describe("Sets messageTTL and consumerTTL where they aren't set themselves."),
    messageTTL: whole(hops, -1).optional().describe("Brokers a message may cross; -1 is no limit. Default: networkTTL."),
    consumerTTL: whole(hops, -1).optional().describe("Brokers that demand may cross; -1 is no limit. Default: networkTTL."),
    conduitSubscriptions: flag().default(true).describe("Treat the consumers of a destination at the other broker as one."),
    conduitNetworkQueueSubscriptions: flag().default(false).describe("Also fold queue consumers that are network consumers themselves."),
    conduitSelectors: z
      .enum(["union", "ignore"], 'must be "union" or "ignore"')
      .default("union")
      .describe("union: a conduit takes what any of its consumers' selectors takes; ignore: everything, as ActiveMQ does."),
    decreaseNetworkConsumerPriority: flag().default(false).describe("Prefer near consumers (ActiveMQ from 5.18 on: true)."),
    consumerPriorityBase: whole(priority, -128, 127).default(-5).describe("Priority of network consumers at one hop, if it decreases."),
    suppressDuplicateQueueSubscriptions: flag().default(false).describe("Ignore demand of a queue consumer that a nearer way has brought."),
    suppressDuplicateTopicSubscriptions: flag().default(true).describe("Ignore demand of a topic consumer that a nearer way has brought."),
    prefetchSize: whole("must be a whole number of messages, at least 1", 1)
      .default(1_000)
      .describe("Of one batch it gets so many messages of a queue before others who take them do."),
    dynamicallyIncludedDestinations: filters(judgeInclusion).describe("Only these cross on demand; empty: all do."),
    staticallyIncludedDestinations: filters(judgeInclusion).describe("These cross whether or not anybody wants them."),
    excludedDestinations: filters(judgeFilter).describe("These never cross."),
    dynamicOnly: flag().default(false).describe("Never open durable subscriptions without a subscriber when the connector first runs."),
    syncDurableSubs: flag().default(false).describe("Open all of them then, not only those that have a subscriber."),
    staticBridge: flag().default(false).describe("Learn no demand: only static includes cross."),
    destinationFilter: z
      .string(advisories)
      .refine((names) => !names.includes("://"), advisories)
      .optional()
      .describe("Listen to these consumer advisories of the peer, such as `Queue.orders.>`. Default: those of the dynamic list."),
    autoStart: flag().default(true).describe("false: the connector is stopped until a command starts it."),
    removed: flag()
      .default(false)
      .describe("The first of two deployments that take it away: it is stopped, and its queues stay until they are empty."),
    ...unreadKeys,
  },
  "must be an object: a network connector",
);

export const connectorConcept: Concept = {
  called: "a network connector",
  keys: Object.keys(connectorSchema.shape).filter((key) => !isUnread(key)),
  absent: {
    "activemq-has-it": ["useVirtualDestSubs", "bridgeTempDestinations", "advisoryForFailedForward"],
    "meaningless-on-aws": ["brokerName", "brokerURL", "bridgeFactory"],
  },
};
