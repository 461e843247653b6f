import type { SQSBatchResponse, SQSEvent, SQSRecord } from "aws-lambda";
import type { Returns } from "../core/ports.ts";

/** A record that must come again, after so many seconds. */
export interface ComesAgain {
  readonly ref: string;
  readonly seconds: number;
}

/**
 * Answers an SQS batch: what isn't named is deleted. Names only records of the event, since Lambda repeats the whole batch for an
 * unknown or empty id; their visibility is set before, so that they come when it is time.
 */
export const answerBatch = async (returns: Returns, { Records }: SQSEvent, again: readonly ComesAgain[]): Promise<SQSBatchResponse> => {
  const seconds = new Map(again.map((one) => [one.ref, one.seconds]));
  const records = Records.filter(({ messageId }) => seconds.has(messageId));
  await Promise.all(
    [...Map.groupBy(records, ({ eventSourceARN }) => eventSourceARN)].map(([door, own]) =>
      returns.delay(
        door,
        own.map((record) => delayOf(record, seconds)),
      ),
    ),
  );
  return { batchItemFailures: records.map(({ messageId }) => ({ itemIdentifier: messageId })) };
};

const delayOf = ({ receiptHandle, messageId }: SQSRecord, seconds: ReadonlyMap<string, number>) => ({
  receipt: receiptHandle,
  seconds: seconds.get(messageId) ?? 0,
});
