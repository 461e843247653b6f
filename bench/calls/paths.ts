import { PublishBatchCommand } from "@aws-sdk/client-sns";
import { limits } from "../limits.ts";
import type { Side, World } from "../world/network.ts";
import { body, type QueueAt, sendTens, tenIds } from "../world/queues.ts";

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
  /** SNS carried the message between the regions, unasked. */
  readonly carriedBySns?: true;
  /** Calls of SQS and writes of DynamoDB for a message. */
  readonly atMost?: { readonly sqs: number; readonly writes: number };
  send(world: World, messages: number): Promise<void>;
  ends(world: World): readonly QueueAt[];
}

const queueHop = { sqs: limits.sqsOfQueueHop, writes: limits.auditWrites };

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
  const entries = tenIds.map(({ Id }) => ({ Id, Message: body }));
  const command = () => new PublishBatchCommand({ TopicArn: at.topicArn(at.topic(topic)), PublishBatchRequestEntries: entries });
  for (let sent = 0; sent < messages; sent += tenIds.length) await clients.sns.send(command());
};
