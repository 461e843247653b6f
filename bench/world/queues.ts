import { randomUUID } from "node:crypto";
import { GetQueueAttributesCommand, PurgeQueueCommand, SendMessageBatchCommand, type SQSClient } from "@aws-sdk/client-sqs";

/** A queue and who may call it. */
export interface QueueAt {
  readonly sqs: SQSClient;
  readonly url: string;
}

export const batch = 10;
/** An order of some size: what a message of the bench carries. */
export const body = JSON.stringify({ order: 4711, lines: Array.from({ length: 6 }, (_, sku) => ({ sku, pieces: 2, price: "19.90" })) });

/** Entries of a full batch as SQS and SNS take them, but for the body's key. */
export const tenIds = Array.from({ length: batch }, (_, index) => ({ Id: String(index) }));

/** What tells ingress where a message goes. */
export const addressedTo = (destination: string) => ({
  MessageAttributes: { destination: { DataType: "String", StringValue: destination } },
});

/** Sends so many messages in full batches, one call after the other. */
export const sendTens = async ({ sqs, url }: QueueAt, messages: number, destination?: string): Promise<void> => {
  const entries = tenIds.map(({ Id }) => ({ Id, MessageBody: body, ...(destination && addressedTo(destination)) }));
  for (let sent = 0; sent < messages; sent += batch) await sqs.send(new SendMessageBatchCommand({ QueueUrl: url, Entries: entries }));
};

/** The same to a FIFO queue: in each batch one message of each of ten groups. */
export const sendTensInOrder = async ({ sqs, url }: QueueAt, messages: number, destination: string): Promise<void> => {
  for (let sent = 0; sent < messages; sent += batch) {
    const entries = tenIds.map(({ Id }) => ({ Id, MessageBody: body, ...inOrder(Id), ...addressedTo(destination) }));
    await sqs.send(new SendMessageBatchCommand({ QueueUrl: url, Entries: entries }));
  }
};

/** A message's place among those of its group. */
export const inOrder = (group: string) => ({ MessageGroupId: group, MessageDeduplicationId: randomUUID() });

/** Messages in a queue, in flight ones included. */
export const depthOf = async ({ sqs, url }: QueueAt): Promise<number> => {
  const { Attributes = {} } = await sqs.send(
    new GetQueueAttributesCommand({
      QueueUrl: url,
      AttributeNames: ["ApproximateNumberOfMessages", "ApproximateNumberOfMessagesNotVisible"],
    }),
  );
  return Object.values(Attributes).reduce((sum, text) => sum + Number(text), 0);
};

export const sumOfDepths = async (queues: readonly QueueAt[]): Promise<number> =>
  (await Promise.all(queues.map(depthOf))).reduce((sum, depth) => sum + depth, 0);

export const purge = async (queues: readonly QueueAt[]): Promise<void> => {
  for (const { sqs, url } of queues) await sqs.send(new PurgeQueueCommand({ QueueUrl: url }));
};
