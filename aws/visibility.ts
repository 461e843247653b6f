import { ChangeMessageVisibilityBatchCommand, type SQSClient } from "@aws-sdk/client-sqs";
import { queueUrl } from "../core/destination/place.ts";
import type { Returns } from "../core/ports.ts";
import { maxBatchEntries } from "./batches.ts";

export interface Postponed {
  readonly receipt: string;
  readonly seconds: number;
}

export const inTens = <T>(items: readonly T[]): readonly (readonly T[])[] =>
  Array.from({ length: Math.ceil(items.length / maxBatchEntries) }, (_, i) => items.slice(i * maxBatchEntries, (i + 1) * maxBatchEntries));

const changes = (sqs: SQSClient, url: string, records: readonly Postponed[]) => {
  const entriesOf = (batch: readonly Postponed[]) =>
    batch.map(({ receipt, seconds }, i) => ({ Id: String(i), ReceiptHandle: receipt, VisibilityTimeout: seconds }));
  return inTens(records).map((batch) => sqs.send(new ChangeMessageVisibilityBatchCommand({ QueueUrl: url, Entries: entriesOf(batch) })));
};

/** Best effort: an entry that fails comes back when its visibility runs out by itself. */
export const changeVisibility = async (sqs: SQSClient, url: string, records: readonly Postponed[]): Promise<void> => {
  await Promise.allSettled(changes(sqs, url, records));
};

/** Throws where one may have failed. */
export const changeVisibilityOfAll = async (sqs: SQSClient, url: string, records: readonly Postponed[]): Promise<void> => {
  const failed = (await Promise.all(changes(sqs, url, records))).flatMap(({ Failed = [] }) => Failed);
  if (failed.length > 0) throw new Error(`${failed.length} of ${records.length} messages of ${url} come back later (${failed[0]?.Code})`);
};

/** `door` is the event source's queue ARN, as each SQS record names it. */
export const sqsReturns = (sqs: SQSClient): Returns => ({
  delay: (door, records) => {
    const [, , , region = "", account = "", name = ""] = door.split(":");
    return changeVisibility(sqs, queueUrl({ region, account }, name), records);
  },
});
