import { PublishBatchCommand, type SNSClient } from "@aws-sdk/client-sns";
import { SendMessageBatchCommand, type SQSClient } from "@aws-sdk/client-sqs";
import type { WireMessage } from "../core/message/message.ts";
import type { HandOverAnswer } from "../core/ports.ts";
import { answerOfEntry, answerOfError } from "./answers.ts";
import { inBatches, maxBytes } from "./batches.ts";
import { toAttributes, wireBytes } from "./wire.ts";

export interface Outgoing {
  readonly wire: WireMessage;
  /** Fair-queue group; left out where SQS wouldn't take it. */
  readonly group?: string;
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
type Call = (entries: readonly Entry[]) => Promise<BatchAnswer>;

/** Sends to a queue: one answer for each message, in order. With a client of several attempts a refusal of a repeated call counts as silence. */
export const sendToQueue = (sqs: SQSClient, url: string, messages: readonly Outgoing[]): Promise<readonly HandOverAnswer[]> =>
  sendAll(messages, (entries) => sqs.send(new SendMessageBatchCommand({ QueueUrl: url, Entries: entries.map(toQueueEntry) })));

/** Publishes to a topic: one answer for each message, in order. */
export const publishToTopic = (sns: SNSClient, arn: string, messages: readonly Outgoing[]): Promise<readonly HandOverAnswer[]> =>
  sendAll(messages, (entries) =>
    sns.send(new PublishBatchCommand({ TopicArn: arn, PublishBatchRequestEntries: entries.map(toTopicEntry) })),
  );

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

const toQueueEntry = ({ id, wire, group = "", delaySeconds }: Entry) => ({
  Id: id,
  MessageBody: wire.body,
  MessageAttributes: toAttributes(wire.attributes),
  ...(/^[!-~]{1,128}$/.test(group) && { MessageGroupId: group }),
  ...(delaySeconds !== undefined && { DelaySeconds: delaySeconds }),
});

const toTopicEntry = ({ id, wire }: Entry) => ({ Id: id, Message: wire.body, MessageAttributes: toAttributes(wire.attributes) });
