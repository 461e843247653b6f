import { setTimeout as pause } from "node:timers/promises";
import { DeleteMessageBatchCommand, ReceiveMessageCommand, type SQSClient } from "@aws-sdk/client-sqs";
import { saysMissing } from "../aws/answers.ts";
import { changeVisibility, type Postponed } from "../aws/visibility.ts";
import { systemAttributes, toTransportRecord } from "../aws/wire.ts";
import type { TransportRecord } from "../core/message/message.ts";

/** `done`: delete it. `again`: it comes when its visibility runs out, or in so many milliseconds. */
export type Taken = "done" | "again" | { readonly later: number };

export interface PollOptions {
  readonly sqs: SQSClient;
  readonly url: string;
  /** 1–10 messages in hand at once. */
  readonly max: number;
  /** Never throws. */
  readonly take: (record: TransportRecord) => Promise<Taken>;
  readonly onProblem: (problem: Error) => void;
  readonly signal: AbortSignal;
}

const longPoll = 20;
const untilItIsMade = 500;
const afterProblem = 2_000;
/** SQS hides a message for 12 hours at most. */
const longestPause = 43_200;

/** Long-polls one queue until the signal: takes a batch side by side, deletes what is done. A queue that isn't there yet is waited for. */
export const poll = async ({ sqs, url, max, take, onProblem, signal }: PollOptions): Promise<void> => {
  const command = new ReceiveMessageCommand({
    QueueUrl: url,
    MaxNumberOfMessages: max,
    WaitTimeSeconds: longPoll,
    MessageAttributeNames: ["All"],
    MessageSystemAttributeNames: [...systemAttributes],
  });
  const turn = async (): Promise<void> => {
    const { Messages = [] } = await sqs.send(command, { abortSignal: signal });
    const taken = await Promise.all(
      Messages.map(async (message) => ({ receipt: message.ReceiptHandle ?? "", taken: await take(toTransportRecord(message)) })),
    );
    await changeVisibility(sqs, url, taken.flatMap(postponed));
    const done = taken.filter((one) => one.taken === "done");
    const Entries = done.map(({ receipt }, index) => ({ Id: String(index), ReceiptHandle: receipt }));
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

const postponed = ({ receipt, taken }: { readonly receipt: string; readonly taken: Taken }): readonly Postponed[] =>
  typeof taken === "string" ? [] : [{ receipt, seconds: Math.min(longestPause, Math.ceil(taken.later / 1_000)) }];
