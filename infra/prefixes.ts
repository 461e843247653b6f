import type { Addresses } from "../core/destination/addresses.ts";

/** All topics of a broker, those that control makes later included. No name is another broker's prefix. */
export const everyTopic = (broker: Addresses): string => broker.topicArn(`${broker.topic("")}*`);

/** All queues of destinations of a broker. */
export const everyQueue = (broker: Addresses): string => broker.queueArn(`${broker.queue("")}*`);

/** All queues of clients of a broker: private queues, ends of topic subscriptions. */
export const everyOwnQueue = (broker: Addresses): string => broker.queueArn(`${broker.ownQueue("")}*`);

/** All temporary destinations of a broker. */
export const everyTemporary = (broker: Addresses): string => broker.queueArn(`${broker.temporary("")}*`);

/** All queues of a broker, of whatever kind. */
export const everyQueueOf = (broker: Addresses): string => broker.queueArn(`${broker.prefix}*`);
