import type { SQSBatchResponse, SQSEvent } from "aws-lambda";
import type { Returns } from "../core/ports.ts";

/** A record that must come again, after so many seconds. */
export interface ComesAgain {
  readonly ref: string;
  readonly seconds: number;
}

/**
 * Answers an SQS batch: what isn't named is deleted. Names only records of the event, each once, since Lambda repeats the whole batch
 * for an unknown or empty id; their visibility is set before, so that they come when it is time.
 */
export const answerBatch = async (returns: Returns, { Records }: SQSEvent, again: readonly ComesAgain[]): Promise<SQSBatchResponse> => {
  const secondsOf = new Map(again.map(({ ref, seconds }) => [ref, seconds]));
  const failed = Records.flatMap(({ messageId, receiptHandle: receipt, eventSourceARN: door }) => {
    const seconds = secondsOf.get(messageId);
    return seconds === undefined ? [] : [{ messageId, receipt, door, seconds }];
  });
  const [first] = failed; // an event is of one queue
  if (first) await returns.delay(first.door, failed);
  // A queue may hand out a message twice in one batch.
  return { batchItemFailures: [...new Set(failed.map(({ messageId }) => messageId))].map((itemIdentifier) => ({ itemIdentifier })) };
};
