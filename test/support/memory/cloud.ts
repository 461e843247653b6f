import { type MemoryQueues, memoryQueues } from "./queues.ts";
import { type Delivery, type MemoryTopics, memoryTopics } from "./topics.ts";

/** All regions' SQS and SNS in memory, shared by the brokers of a simulated network. */
export interface MemoryCloud {
  readonly queues: MemoryQueues;
  readonly topics: MemoryTopics;
  /** ARNs of queues and topics that control made: what tags say elsewhere. */
  readonly made: Set<string>;
  /** Milliseconds since the epoch, the virtual clock. */
  now(): number;
}

export interface MemoryCloudOptions {
  /** From Subscribe until SNS delivers to the subscription. */
  readonly subscriptionLagMs?: number;
  /** From a changed filter policy until SNS follows no other one. */
  readonly filterLagMs?: number;
  /** What becomes of each attempt of SNS to deliver to a subscribed queue. @default - it arrives */
  readonly delivery?: (topicArn: string, queueArn: string, body: string) => Delivery;
}

/** `now` is read at each call; ids count up, so that two runs of one history are equal. */
export const memoryCloud = (
  now: () => number,
  { subscriptionLagMs = 0, filterLagMs = 15 * 60_000, delivery = () => "arrives" }: MemoryCloudOptions = {},
): MemoryCloud => {
  let ids = 0;
  const newId = () => `00000000-0000-4000-8000-${String(++ids).padStart(12, "0")}`;
  const queues = memoryQueues(now, newId);
  return { queues, topics: memoryTopics(queues, now, newId, { subscriptionLagMs, filterLagMs, delivery }), made: new Set(), now };
};
