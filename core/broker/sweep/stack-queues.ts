import { feedsOf } from "../../config/feeds.ts";
import { readsTopic } from "../../config/jms-bridge.ts";
import { hasOrderedIngress, lanesOf } from "../../config/ordered.ts";
import type { BrokerSlice } from "../../config/slice.ts";
import type { Addresses } from "../../destination/addresses.ts";

/** Queues of a broker that hold messages, by their physical names. */
export interface Queues {
  /** They feed dispatch: what stands in them (probes too) is taken within seconds. */
  readonly fed: readonly string[];
  /** Messages stay in them until somebody takes them. */
  readonly resting: readonly string[];
}

/** Those that CloudFormation owns. Control's isn't among them: what it holds is only about what is here. */
export const stackQueues = (slice: BrokerSlice, own: Addresses): Queues => {
  const { broker, connectors, queues, consumers, jmsBridges = [] } = slice;
  const isOrdered = hasOrderedIngress(slice);
  const waysOf = (here: "from" | "to") =>
    connectors.filter((connector) => connector[here] === broker).flatMap((way) => lanesOf(way).map((fifo) => ({ ...way, fifo })));
  return {
    fed: [
      own.ingressQueue,
      ...(isOrdered ? [own.ingressFifoQueue] : []),
      ...feedsOf(slice).map(own.feedQueue),
      ...waysOf("to").map(({ from, name, fifo }) => own.inboundQueue(from, name, fifo)),
      ...jmsBridges.filter((bridge) => bridge.owner === broker && readsTopic(bridge)).map(({ subscription }) => own.ownQueue(subscription)),
    ],
    resting: [
      own.deadLettersQueue,
      ...(isOrdered ? [own.deadLettersFifoQueue] : []),
      ...waysOf("from").map(({ name, fifo }) => own.undeliveredQueue(name, fifo)),
      ...jmsBridges.filter(({ owner }) => owner === broker).map(({ name }) => own.bridgeQueue(name, "undelivered")),
      ...queues.map(own.queue),
      ...consumers.flatMap(({ ownQueue }) => (ownQueue === undefined ? [] : [own.ownQueue(ownQueue)])),
    ],
  };
};

/** Those that CloudFormation deletes when `after` replaces `before`. */
export const goneQueues = (before: BrokerSlice, after: BrokerSlice, own: Addresses): Queues => {
  const [had, has] = [stackQueues(before, own), stackQueues(after, own)];
  const gone = (list: keyof Queues) => had[list].filter((queue) => !has[list].includes(queue));
  return { fed: gone("fed"), resting: gone("resting") };
};
