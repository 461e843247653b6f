import { setTimeout as pause } from "node:timers/promises";
import { DeleteMessageBatchCommand, ReceiveMessageCommand, type SQSClient } from "@aws-sdk/client-sqs";
import { saysMissing } from "../aws/answers.ts";
import { changeVisibility } from "../aws/visibility.ts";
import { systemAttributes, toTransportRecord } from "../aws/wire.ts";
import { inWaves } from "../core/broker/dispatch/waves.ts";
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
  /** The queue hasn't been there for a minute. Once, until it is there again. */
  readonly onMissing: () => void;
  readonly signal: AbortSignal;
  readonly clock: () => number;
}

interface Copy extends TransportRecord {
  readonly receipt: string;
}

const longPoll = 20;
const untilItIsMade = 500;
const afterProblem = 2_000;
/** Milliseconds that a queue may take to be made. */
const longestMaking = 60_000;
/** SQS hides a message for 12 hours at most. */
const longestPause = 43_200;
/** Milliseconds after which no further message of a FIFO group is begun: its visibility timeout began with the first. */
const longestInHand = 10_000;

/**
 * Long-polls one queue until the signal: takes a batch side by side, deletes what is done. Of a FIFO queue's batch each group is taken one
 * by one, up to the first that isn't done; what stands behind it comes again with it. A queue that isn't there is waited for.
 */
export const poll = async ({ sqs, url, max, take, onProblem, onMissing, signal, clock }: PollOptions): Promise<void> => {
  const command = new ReceiveMessageCommand({
    QueueUrl: url,
    MaxNumberOfMessages: max,
    WaitTimeSeconds: longPoll,
    MessageAttributeNames: ["All"],
    MessageSystemAttributeNames: [...systemAttributes],
  });

  /** Answers the copies that couldn't be deleted. */
  const remove = async (copies: readonly Copy[]): Promise<readonly (Copy | undefined)[]> => {
    if (copies.length === 0) return [];
    const Entries = copies.map(({ receipt }, index) => ({ Id: String(index), ReceiptHandle: receipt }));
    const { Failed = [] } = await sqs.send(new DeleteMessageBatchCommand({ QueueUrl: url, Entries }));
    if (Failed.length > 0)
      onProblem(new Error(`${Failed.length} handled messages couldn't be deleted at ${url} (${Failed[0]?.Message}): they will come again`));
    return Failed.map(({ Id }) => copies[Number(Id)]);
  };

  const takeWave = async (wave: readonly Copy[]): Promise<readonly Taken[]> => {
    const taken = await Promise.all(wave.map(take));
    const stayed = await remove(wave.filter((_, index) => taken[index] === "done"));
    return taken.map((one, index) => (stayed.includes(wave[index]) ? "again" : one));
  };

  let missing: { readonly since: number; readonly told: boolean } | undefined;
  const noteMissing = (): void => {
    missing ??= { since: clock(), told: false };
    if (missing.told || clock() - missing.since < longestMaking) return;
    missing = { ...missing, told: true };
    onMissing();
  };

  const turn = async (): Promise<void> => {
    const { Messages = [] } = await sqs.send(command, { abortSignal: signal });
    missing = undefined;
    const copies = Messages.map((message): Copy => ({ ...toTransportRecord(message), receipt: message.ReceiptHandle ?? "" }));
    const until = clock() + longestInHand;
    const taken = await inWaves<Copy, Taken>(copies, takeWave, {
      stops: (one) => one !== "done",
      behind: () => ({ later: 0 }),
      mayContinue: () => !signal.aborted && clock() <= until,
      unbegun: () => ({ later: 0 }),
    });
    const postponed = copies.flatMap(({ receipt }, index) => {
      const seconds = secondsOf(taken[index]);
      return seconds === undefined ? [] : [{ receipt, seconds }];
    });
    await changeVisibility(sqs, url, postponed);
  };

  while (!signal.aborted) {
    try {
      await turn();
    } catch (error) {
      if (signal.aborted) return;
      if (saysMissing(error)) noteMissing();
      else onProblem(new Error(`polling ${url} failed and goes on`, { cause: error }));
      await pause(saysMissing(error) ? untilItIsMade : afterProblem, undefined, { signal, ref: false }).catch(() => {});
    }
  }
};

const secondsOf = (taken: Taken | undefined): number | undefined =>
  typeof taken === "object" ? Math.min(longestPause, Math.ceil(taken.later / 1_000)) : undefined;
