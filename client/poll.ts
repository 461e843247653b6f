import { setTimeout as pause } from "node:timers/promises";
import { DeleteMessageBatchCommand, ReceiveMessageCommand, type SQSClient } from "@aws-sdk/client-sqs";
import { saysMissing } from "../aws/answers.ts";
import { toTransportRecord } from "../aws/wire.ts";
import type { TransportRecord } from "../core/message/message.ts";

export interface PollOptions {
  readonly sqs: SQSClient;
  readonly url: string;
  /** 1–10 messages in hand at once. */
  readonly max: number;
  /** True: it is done, delete it. False: it comes again when its visibility runs out. Never throws. */
  readonly take: (record: TransportRecord) => Promise<boolean>;
  readonly onProblem: (problem: Error) => void;
  readonly signal: AbortSignal;
}

const longPoll = 20;
const untilItIsMade = 500;
const afterProblem = 2_000;

/** Long-polls one queue until the signal: takes a batch side by side, deletes what is done. A queue that isn't there yet is waited for. */
export const poll = async ({ sqs, url, max, take, onProblem, signal }: PollOptions): Promise<void> => {
  const command = new ReceiveMessageCommand({
    QueueUrl: url,
    MaxNumberOfMessages: max,
    WaitTimeSeconds: longPoll,
    MessageAttributeNames: ["All"],
    MessageSystemAttributeNames: ["SentTimestamp", "ApproximateReceiveCount"],
  });
  const turn = async (): Promise<void> => {
    const { Messages = [] } = await sqs.send(command, { abortSignal: signal });
    const done = await Promise.all(Messages.map(async (message) => ({ message, done: await take(toTransportRecord(message)) })));
    const Entries = done
      .filter((one) => one.done)
      .map(({ message }, index) => ({ Id: String(index), ReceiptHandle: message.ReceiptHandle }));
    if (Entries.length === 0) return;
    const { Failed = [] } = await sqs.send(new DeleteMessageBatchCommand({ QueueUrl: url, Entries }));
    if (Failed.length > 0)
      onProblem(new Error(`${Failed.length} handled messages couldn't be deleted at ${url} (${Failed[0]?.Message}): they will come again`));
  };
  while (!signal.aborted) {
    try {
      await turn();
    } catch (error) {
      if (signal.aborted) return;
      if (!saysMissing(error)) onProblem(new Error(`polling ${url} failed and goes on`, { cause: error }));
      await pause(saysMissing(error) ? untilItIsMade : afterProblem, undefined, { signal, ref: false }).catch(() => {});
    }
  }
};
