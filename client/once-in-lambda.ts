import type { SQSBatchResponse, SQSEvent, SQSRecord } from "aws-lambda";
import { type Identified, type OnceOptions, once } from "./once.ts";
import { type BrokerOptions, warn } from "./options.ts";
import { signedIds } from "./signed-ids.ts";

export interface OnceInLambdaOptions extends OnceOptions {
  /**
   * Whose signature makes a message id count: that of the broker whose queue this is. It is read from the broker's table at the first event.
   * @default none; SQS's own ids count, so that a message that was sent twice on its way is two
   */
  readonly signedBy?: BrokerOptions;
  /** Told of what a handler threw; its record comes again. @default a warning on stderr, which is the function's log */
  readonly onProblem?: (problem: Error) => void;
}

/**
 * A Lambda handler for a queue's batches that lets a function run once for each message. The event source must report partial failures
 * (`reportBatchItemFailures`), or Lambda deletes what isn't done. What is for later comes when the queue's visibility timeout ends. Records
 * run side by side, those of a FIFO group one after the other, up to the first that must come again.
 *
 * @example
 * export const handler = onceInLambda(async ({ body }) => ledger.add(JSON.parse(body)), {
 *   store: dynamoStore({ table: "once" }),
 *   handlerTimeout: 30_000, // the function's timeout
 * });
 */
export const onceInLambda = (
  handler: (record: SQSRecord) => unknown,
  { signedBy, onProblem = warn, ...options }: OnceInLambdaOptions,
): ((event: SQSEvent) => Promise<SQSBatchResponse>) => {
  const idOf = signedBy ? signedIds(signedBy) : async ({ messageId }: SQSRecord) => messageId;
  const handle = once(({ record }: Identified & { readonly record: SQSRecord }) => handler(record), options);

  const isDone = async (record: SQSRecord): Promise<boolean> => {
    try {
      const answer = await handle({ id: await idOf(record), destination: record.eventSourceARN, record });
      return !("later" in answer);
    } catch (cause) {
      onProblem(new Error(`message ${record.messageId} of ${record.eventSourceARN} comes again`, { cause }));
      return false;
    }
  };

  /** What comes again. */
  const inOrder = async ([first, ...others]: readonly SQSRecord[]): Promise<readonly SQSRecord[]> => {
    if (!first) return [];
    return (await isDone(first)) ? inOrder(others) : [first, ...others];
  };

  return async ({ Records }) => {
    const again = (await Promise.all(groupsOf(Records).map(inOrder))).flat();
    return { batchItemFailures: [...new Set(again.map(({ messageId }) => messageId))].map((itemIdentifier) => ({ itemIdentifier })) };
  };
};

/** What must not run side by side: records of a FIFO group, and copies of one record. */
const groupsOf = (records: readonly SQSRecord[]): readonly (readonly SQSRecord[])[] => [
  ...Map.groupBy(records, ({ eventSourceARN, attributes, messageId }) =>
    eventSourceARN.endsWith(".fifo") ? attributes.MessageGroupId : messageId,
  ).values(),
];
