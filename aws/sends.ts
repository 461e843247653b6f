import { PublishBatchCommand, type SNSClient } from "@aws-sdk/client-sns";
import { SendMessageBatchCommand, type SQSClient } from "@aws-sdk/client-sqs";
import type { WireMessage } from "../core/message/message.ts";
import type { HandOverAnswer, Order } from "../core/ports.ts";
import { answerOfEntry, answerOfError } from "./answers.ts";
import { inBatches, maxBytes } from "./batches.ts";
import { toAttributes, wireBytes } from "./wire.ts";

export interface Outgoing {
  readonly wire: WireMessage;
  /** Fair-queue group; left out where SQS wouldn't take it. */
  readonly group?: string;
  /** Of a FIFO queue or topic. A batch has one message of each group at most, or a failure would let later ones pass. */
  readonly order?: Order;
  /** 0–900. */
  readonly delaySeconds?: number;
}

interface Entry extends Outgoing {
  readonly id: string;
}
interface BatchAnswer {
  readonly Successful?: readonly { readonly Id?: string | undefined }[] | undefined;
  readonly Failed?:
    | readonly {
        readonly Id?: string | undefined;
        readonly Code?: string | undefined;
        readonly Message?: string | undefined;
        readonly SenderFault?: boolean | undefined;
      }[]
    | undefined;
}
export interface SendOptions {
  /** How often entries that the service failed alone are sent anew; the SDK repeats calls only. They may arrive twice then. @default 0 */
  readonly repetitions?: number;
}
type Call = (entries: readonly Entry[]) => Promise<BatchAnswer>;

/** Sends to a queue: one answer for each message, in order. With a client of several attempts a refusal of a repeated call counts as silence. */
export const sendToQueue = (
  sqs: SQSClient,
  url: string,
  messages: readonly Outgoing[],
  { repetitions = 0 }: SendOptions = {},
): Promise<readonly HandOverAnswer[]> =>
  sendAll(messages, (entries) =>
    repeating(repetitions, entries, (left) => sqs.send(new SendMessageBatchCommand({ QueueUrl: url, Entries: left.map(toQueueEntry) }))),
  );

/** Publishes to a topic: one answer for each message, in order. */
export const publishToTopic = (sns: SNSClient, arn: string, messages: readonly Outgoing[]): Promise<readonly HandOverAnswer[]> =>
  sendAll(messages, (entries) =>
    sns.send(new PublishBatchCommand({ TopicArn: arn, PublishBatchRequestEntries: entries.map(toTopicEntry) })),
  );

const repeating = async (repetitions: number, entries: readonly Entry[], call: Call): Promise<BatchAnswer> => {
  const { Successful = [], Failed = [] } = await call(entries);
  const again = entries.filter(({ id }) => Failed.some(({ Id, SenderFault }) => Id === id && !SenderFault));
  if (repetitions === 0 || again.length === 0) return { Successful, Failed };
  const answer = await repeating(repetitions - 1, again, call);
  const forGood = Failed.filter(({ SenderFault }) => SenderFault);
  return { Successful: [...Successful, ...(answer.Successful ?? [])], Failed: [...forGood, ...(answer.Failed ?? [])] };
};

const sendAll = async (messages: readonly Outgoing[], call: Call): Promise<readonly HandOverAnswer[]> => {
  const batches = inBatches(messages, ({ wire }) => wireBytes(wire));
  return (await Promise.all(batches.map((batch) => sendBatch(batch, call)))).flat();
};

const sendBatch = async (batch: readonly Outgoing[], call: Call): Promise<readonly HandOverAnswer[]> => {
  const bytes = batch.reduce((sum, { wire }) => sum + wireBytes(wire), 0);
  if (bytes > maxBytes)
    return batch.map(() => ({ answer: "refused", cause: "too-large", why: `${bytes} bytes, SQS and SNS take ${maxBytes}` }));
  const entries = batch.map((outgoing, i) => ({ id: String(i), ...outgoing }));
  try {
    const { Successful = [], Failed = [] } = await call(entries);
    return entries.map(({ id }) => {
      const failed = Failed.find(({ Id }) => Id === id);
      if (failed) return answerOfEntry(failed.Code, failed.Message, failed.SenderFault);
      return Successful.some(({ Id }) => Id === id)
        ? { answer: "accepted" }
        : { answer: "silent", why: "the answer doesn't name this entry" };
    });
  } catch (error) {
    const answer = answerOfError(error);
    // A topic with a lower limit may find the sum too large: that judges none of the messages.
    if (batch.length > 1 && answer.answer === "refused" && answer.cause === "too-large") return sendOneByOne(batch, call);
    return batch.map(() => answer);
  }
};

const sendOneByOne = async (batch: readonly Outgoing[], call: Call): Promise<readonly HandOverAnswer[]> =>
  (await Promise.all(batch.map((outgoing) => sendBatch([outgoing], call)))).flat();

const toQueueEntry = ({ id, wire, group = "", order, delaySeconds }: Entry) => ({
  Id: id,
  MessageBody: wire.body,
  MessageAttributes: toAttributes(wire.attributes),
  ...(order ? inOrder(order) : /^[!-~]{1,128}$/.test(group) && { MessageGroupId: group }),
  ...(delaySeconds !== undefined && { DelaySeconds: delaySeconds }),
});

const toTopicEntry = ({ id, wire, order }: Entry) => ({
  Id: id,
  Message: wire.body,
  MessageAttributes: toAttributes(wire.attributes),
  ...(order && inOrder(order)),
});

const inOrder = ({ group, deduplicationId }: Order) => ({ MessageGroupId: group, MessageDeduplicationId: deduplicationId });
