import { readsTopic } from "../../config/jms-bridge.ts";
import { hasFeed, hasFifo } from "../../config/ordered.ts";
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
  const { broker, connectors, queues, jmsBridges = [] } = slice;
  return {
    fed: [
      own.ingressQueue,
      ...orderedDoors(slice, own),
      ...connectors.filter(({ to }) => to === broker).map(({ from, name }) => own.inboundQueue(from, name)),
      ...jmsBridges.filter((bridge) => bridge.owner === broker && readsTopic(bridge)).map(({ subscription }) => own.ownQueue(subscription)),
    ],
    resting: [
      own.deadLettersQueue,
      ...connectors.filter(({ from }) => from === broker).map(({ name }) => own.undeliveredQueue(name)),
      ...connectors.filter(({ from, fifo }) => from === broker && fifo).map(({ name }) => own.undeliveredQueue(name, true)),
      ...jmsBridges.filter(({ owner }) => owner === broker).map(({ name }) => own.bridgeQueue(name, "undelivered")),
      ...queues.map(own.queue),
    ],
  };
};

/** Where FIFO destinations' messages come in. */
const orderedDoors = (slice: BrokerSlice, own: Addresses): readonly string[] => [
  ...(hasFifo(slice) ? [own.ingressFifoQueue] : []),
  ...(hasFeed(slice) ? [own.feedFifoQueue] : []),
  ...slice.connectors.filter(({ to, fifo }) => to === slice.broker && fifo).map(({ from, name }) => own.inboundQueue(from, name, true)),
];

/** Those that CloudFormation deletes when `after` replaces `before`. */
export const goneQueues = (before: BrokerSlice, after: BrokerSlice, own: Addresses): Queues => {
  const [had, has] = [stackQueues(before, own), stackQueues(after, own)];
  const gone = (list: keyof Queues) => had[list].filter((queue) => !has[list].includes(queue));
  return { fed: gone("fed"), resting: gone("resting") };
};
