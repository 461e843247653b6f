import { setTimeout as pause } from "node:timers/promises";
import { BatchWriteItemCommand, type DynamoDBClient } from "@aws-sdk/client-dynamodb";
import type { Row } from "./rows.ts";

/** DynamoDB takes so many in one call. */
const most = 25;
/** How often rows that DynamoDB left out are sent anew; the SDK repeats calls only. */
const repetitions = 2;

/** Puts rows of different keys over whatever stands there, in as few calls as can be. Answers those that may not have been written. */
export const putRows = async (dynamo: DynamoDBClient, table: string, rows: readonly Row[]): Promise<readonly Row[]> => {
  const calls = Array.from({ length: Math.ceil(rows.length / most) }, (_, call) => rows.slice(call * most, (call + 1) * most));
  return (await Promise.all(calls.map((some) => putSome(dynamo, table, some)))).flat();
};

const putSome = async (dynamo: DynamoDBClient, table: string, rows: readonly Row[], repeated = 0): Promise<readonly Row[]> => {
  const puts = new BatchWriteItemCommand({ RequestItems: { [table]: rows.map((Item) => ({ PutRequest: { Item } })) } });
  try {
    const { UnprocessedItems } = await dynamo.send(puts);
    const left = (UnprocessedItems?.[table] ?? []).map(({ PutRequest }): Row => PutRequest?.Item ?? {});
    if (left.length === 0 || repeated === repetitions) return left;
    await pause(50 * 2 ** repeated);
    return putSome(dynamo, table, left, repeated + 1);
  } catch {
    return rows;
  }
};
