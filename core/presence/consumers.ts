import type { DeclaredConsumer } from "../config/slice.ts";
import { partsOf } from "../destination/composite.ts";
import { type Destination, type DestinationKey, destinationKey, destinationOf } from "../destination/destination.ts";
import { isFifo, laneOf } from "../destination/fifo.ts";
import { isPattern } from "../destination/filter.ts";
import { durableId, durableQueue, isDurable } from "./durable.ts";
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
 * a topic subscription and a private queue are never one: the first goes with its consumer, the second is drained. Of a FIFO destination it
 * keeps order; of a pattern it can't, since it may get what no order is kept of.
 */
const ownQueueName = (connection: string, consumer: ConsumerSpec, part: Destination): string => {
  const name = part.kind === "topic" ? topicEnd(connection, consumer) : `${connection}.${consumer.id}`;
  return laneOf(name, isFifo(part) && !isPattern(part));
};

const topicEnd = (connection: string, consumer: ConsumerSpec): string =>
  isDurable(consumer) ? durableQueue(consumer) : `${connection}.${consumer.id}.topic`;

/** Consumers of the configuration: presence for ever, on the destination's own queue or subscription. */
export const declaredPresence = (consumers: readonly DeclaredConsumer[]): PresenceRecord[] =>
  consumers.map(({ destination, ...consumer }, index) => ({
    holder: `declared/${index}`,
    destination: destinationKey(destinationOf(destination)),
    ...consumer,
  }));

/**
 * Subscriptions that a tick has found on a topic: presence as long as it finds them. Whoever is declared has subscribed too, and is counted
 * once.
 */
export const discoveredPresence = (topic: DestinationKey, found: number, declared: readonly PresenceRecord[]): PresenceRecord[] => {
  const count = found - declared.reduce((sum, presence) => sum + presence.count, 0);
  return count > 0 ? [{ holder: "discovered", destination: topic, priority: 0, count }] : [];
};
