import { PublishBatchCommand } from "@aws-sdk/client-sns";
import { isFifoName } from "../../core/destination/fifo.ts";
import { limits } from "../limits.ts";
import type { Side, World } from "../world/network.ts";
import { body, inOrder, type QueueAt, sendTens, sendTensInOrder, tenIds } from "../world/queues.ts";

/** One way of a message through one broker: whose calls count, who sends, and where the messages are in the end. */
export interface Path {
  readonly path: string;
  readonly from: string;
  readonly to: string;
  readonly broker: "a" | "b";
  /** Where it begins: the door whose event source counts, or the queue that a drain pass takes from. */
  begins(world: World): QueueAt;
  /** Taken by a drain pass: it receives by itself, and its views aren't cached. */
  readonly isPass?: true;
  /** Its destination's view is never cached. */
  readonly isOrdered?: true;
  /** SNS carried the message between the regions, unasked. */
  readonly carriedBySns?: true;
  /** Calls of SQS and writes of DynamoDB for a message. */
  readonly atMost?: { readonly sqs: number; readonly writes: number };
  send(world: World, messages: number): Promise<void>;
  ends(world: World): readonly QueueAt[];
  /** Of each message at its ends. @default 1 */
  readonly copies?: number;
}

const queueHop = { sqs: limits.sqsOfQueueHop, writes: limits.auditWrites };

/** Claimed and settled for each of its two parts. */
const composite = { sqs: limits.sqsOfQueueHop + limits.sqsOfFurtherTarget, writes: 2 * limits.auditWrites };

const ingress = ({ a }: World): QueueAt => a.ingress;
const inbound = ({ b }: World): QueueAt => b.inbound;

export const paths: readonly Path[] = [
  {
    path: "queue, consumers here",
    from: "ingress",
    to: "queue",
    broker: "a",
    begins: ingress,
    atMost: queueHop,
    send: ({ a }, messages) => sendTens(a.ingress, messages, "queue://near"),
    ends: ({ a }) => [a.queue("near")],
  },
  {
    path: "queue hop, one candidate: its sender",
    from: "ingress",
    to: "the link's inbound",
    broker: "a",
    begins: ingress,
    atMost: queueHop,
    send: ({ a }, messages) => sendTens(a.ingress, messages, "queue://far"),
    ends: ({ b }) => [b.queue("far")],
  },
  {
    path: "queue hop, one candidate: its receiver",
    from: "inbound",
    to: "queue",
    broker: "b",
    begins: inbound,
    atMost: queueHop,
    send: ({ a }, messages) => sendTens(a.ingress, messages, "queue://far"),
    ends: ({ b }) => [b.queue("far")],
  },
  {
    path: "queue, two candidates",
    from: "ingress",
    to: "queue or the link's inbound",
    broker: "a",
    begins: ingress,
    atMost: { sqs: limits.sqsOfQueueHop + limits.sqsOfFurtherTarget, writes: limits.auditWrites + limits.shareWrites },
    send: ({ a }, messages) => sendTens(a.ingress, messages, "queue://shared"),
    ends: ({ a, b }) => [a.queue("shared"), b.queue("shared")],
  },
  {
    path: "queue, nobody wants it: it rests",
    from: "ingress",
    to: "queue",
    broker: "a",
    begins: ingress,
    atMost: { ...queueHop, writes: limits.auditWrites + limits.restWrites },
    send: ({ a }, messages) => sendTens(a.ingress, messages, "queue://idle"),
    ends: ({ a }) => [a.queue("idle")],
  },
  {
    path: "composite of two queues here",
    from: "ingress",
    to: "both queues",
    broker: "a",
    begins: ingress,
    atMost: composite,
    send: ({ a }, messages) => sendTens(a.ingress, messages, "queue://near,second"),
    ends: ({ a }) => [a.queue("near"), a.queue("second")],
    copies: 2,
  },
  {
    path: "composite of a queue here and one behind the link",
    from: "ingress",
    to: "queue and the link's inbound",
    broker: "a",
    begins: ingress,
    atMost: composite,
    send: ({ a }, messages) => sendTens(a.ingress, messages, "queue://near,far"),
    ends: ({ a, b }) => [a.queue("near"), b.queue("far")],
    copies: 2,
  },
  {
    path: "queue hop, FIFO: its sender",
    from: "ingress.fifo",
    to: "the link's inbound.fifo",
    broker: "a",
    begins: ({ a }) => a.ingressFifo,
    isOrdered: true,
    atMost: queueHop,
    send: ({ a }, messages) => sendTensInOrder(a.ingressFifo, messages, "queue://far.fifo"),
    ends: ({ b }) => [b.queue("far.fifo")],
  },
  {
    path: "queue hop, FIFO: its receiver",
    from: "inbound.fifo",
    to: "queue",
    broker: "b",
    begins: ({ b }) => b.inboundFifo,
    isOrdered: true,
    atMost: queueHop,
    send: ({ a }, messages) => sendTensInOrder(a.ingressFifo, messages, "queue://far.fifo"),
    ends: ({ b }) => [b.queue("far.fifo")],
  },
  {
    path: "topic hop: its receiver",
    from: "inbound",
    to: "topic",
    broker: "b",
    begins: inbound,
    carriedBySns: true,
    atMost: { sqs: limits.sqsOfTopicHop, writes: limits.auditWrites },
    send: ({ a }, messages) => publishTens(a, "prices", messages),
    ends: ({ subscriber }) => [subscriber],
  },
  {
    path: "topic hop, direct: its receiver",
    from: "inbound",
    to: "a client's queue",
    broker: "b",
    begins: inbound,
    carriedBySns: true,
    // The delivery is a call of dispatch's here.
    atMost: { sqs: limits.sqsOfTopicHop + limits.sqsOfFurtherTarget, writes: limits.auditWrites },
    send: ({ a }, messages) => publishTens(a, "quotes", messages),
    ends: ({ clientQueue }) => [clientQueue],
  },
  {
    path: "topic hop, FIFO: its sender",
    from: "feed.fifo",
    to: "the link's inbound.fifo",
    broker: "a",
    begins: ({ a }) => a.feedFifo,
    isOrdered: true,
    atMost: queueHop,
    send: ({ a }, messages) => publishTens(a, "prices.fifo", messages),
    ends: ({ fifoSubscriber }) => [fifoSubscriber],
  },
  {
    path: "topic hop, FIFO: its receiver",
    from: "inbound.fifo",
    to: "topic",
    broker: "b",
    begins: ({ b }) => b.inboundFifo,
    isOrdered: true,
    atMost: { sqs: limits.sqsOfTopicHop, writes: limits.auditWrites },
    send: ({ a }, messages) => publishTens(a, "prices.fifo", messages),
    ends: ({ fifoSubscriber }) => [fifoSubscriber],
  },
  {
    path: "sent straight to the queue: drain pass",
    from: "queue",
    to: "the link's inbound",
    broker: "a",
    begins: ({ a }) => a.queue("far"),
    isPass: true,
    send: ({ a }, messages) => sendTens(a.queue("far"), messages),
    ends: ({ b }) => [b.queue("far")],
  },
];

const publishTens = async ({ at, clients }: Side, topic: string, messages: number): Promise<void> => {
  const TopicArn = at.topicArn(at.topic(topic));
  for (let sent = 0; sent < messages; sent += tenIds.length) {
    const entries = tenIds.map(({ Id }) => ({ Id, Message: body, ...(isFifoName(topic) && inOrder(Id)) }));
    await clients.sns.send(new PublishBatchCommand({ TopicArn, PublishBatchRequestEntries: entries }));
  }
};
