import type { DeclaredConsumer } from "../config/slice.ts";
import { partsOf } from "../destination/composite.ts";
import { type Destination, type DestinationKey, destinationKey, destinationOf } from "../destination/destination.ts";
import { durableId, queueFor } from "../destination/durable-queue.ts";
import { isPattern } from "../destination/filter.ts";
import { isDurable, queueOfDurable } from "./durable.ts";
import type { ConnectionState, ConsumerSpec, PresenceRecord } from "./presence.ts";

/** A connection's consumers, one record per destination: a composite consumer is one on each of its parts (spec DEM-6). */
export const presenceOf = (
  { connection, consumers }: Pick<ConnectionState, "connection" | "consumers">,
  leaseUntil: number,
): PresenceRecord[] =>
  consumers.flatMap((consumer) => {
    const { id, destination, priority, prefetchSize, selector, durable } = consumer;
    return partsOf(destinationOf(destination)).map((part) => {
      // A shared queue can't be a topic's, a pattern's, or bounded or chosen for one consumer.
      const needsOwn = part.kind === "topic" || isPattern(part) || prefetchSize !== undefined || selector !== undefined;
      return {
        holder: durable ? `durable/${durableId(durable)}` : `${connection}/${id}`,
        destination: destinationKey(part),
        priority,
        count: 1,
        leaseUntil,
        ...(prefetchSize !== undefined && { prefetchSize }),
        ...(selector !== undefined && { selector }),
        ...(durable && { durable }),
        ...(needsOwn ? { ownQueue: ownQueueName(connection, consumer, part) } : {}),
      };
    });
  });

/**
 * The name of a consumer's own queue. Connections' ids are fresh, so a name is never used twice, but for a durable subscription's. The end of
 * a topic subscription and a private queue are never one: the first goes with its consumer, the second is drained.
 */
const ownQueueName = (connection: string, consumer: ConsumerSpec, part: Destination): string =>
  queueFor(part.kind === "topic" ? topicEnd(connection, consumer) : `${connection}.${consumer.id}`, part);

const topicEnd = (connection: string, consumer: ConsumerSpec): string =>
  isDurable(consumer) ? queueOfDurable(consumer) : `${connection}.${consumer.id}.topic`;

/** Consumers of the configuration: presence for ever, on the destination's own queue or subscription, or on a durable one of their own. */
export const declaredPresence = (consumers: readonly DeclaredConsumer[]): PresenceRecord[] =>
  consumers.map(({ destination, ...consumer }, index) => ({
    holder: `declared/${index}`,
    destination: destinationKey(destinationOf(destination)),
    ...consumer,
  }));

/**
 * Subscriptions that a tick has found on a topic: presence as long as it finds them. Whoever is declared has subscribed too, and is counted
 * once, unless we subscribe for him.
 */
export const discoveredPresence = (topic: DestinationKey, found: number, declared: readonly PresenceRecord[]): PresenceRecord[] => {
  const count = found - declared.reduce((sum, { count, ownQueue }) => sum + (ownQueue === undefined ? count : 0), 0);
  return count > 0 ? [{ holder: "discovered", destination: topic, priority: 0, count }] : [];
};
