import { randomUUID } from "node:crypto";
import { DeleteItemCommand, type DynamoDBClient, GetItemCommand, PutItemCommand, paginateQuery } from "@aws-sdk/client-dynamodb";
import type { BrainRecords, RecordKind } from "../core/broker/records.ts";
import type { Brain, Stored } from "../core/ports.ts";
import { keyOf, partitionOf, type Row, rowInTheWay, toStored } from "./rows.ts";

export interface BrainOptions {
  readonly dynamo: DynamoDBClient;
  readonly table: string;
  /** Milliseconds since the epoch. */
  readonly now: () => number;
}

/** The record still has the revision it was judged by. */
const unmoved = (judgedBy: number) =>
  judgedBy === 0
    ? { ConditionExpression: "attribute_not_exists(pk)" }
    : { ConditionExpression: "rev = :judgedBy", ExpressionAttributeValues: { ":judgedBy": { N: String(judgedBy) } } };

/** Grows with each write, also over a removal: a record made again starts at the clock, in microseconds, far above its predecessor. */
const nextRevision = (judgedBy: number, now: number) => Math.max(judgedBy + 1, now * 1000);

/** The broker's records in DynamoDB. */
export const dynamoBrain = ({ dynamo, table, now }: BrainOptions): Brain => {
  const readRow = async (key: Row) => (await dynamo.send(new GetItemCommand({ TableName: table, Key: key, ConsistentRead: true }))).Item;

  const put = async (key: Row, value: unknown, judgedBy: number) => {
    // Names this call: the SDK repeats it after a lost answer and then meets its own row.
    const attempt = randomUUID();
    const revision = nextRevision(judgedBy, now());
    const row = { ...key, v: { S: JSON.stringify(value) }, rev: { N: String(revision) }, attempt: { S: attempt } };
    const command = { TableName: table, Item: row, ReturnValuesOnConditionCheckFailure: "ALL_OLD" as const, ...unmoved(judgedBy) };
    const blocking = await rowInTheWay(
      () => dynamo.send(new PutItemCommand(command)),
      () => readRow(key),
    );
    return !blocking || blocking.attempt?.S === attempt ? revision : "moved";
  };

  /** Absence is what a removal wants, whoever brought it about: a repeated one can't be told from another's. */
  const remove = async (key: Row, judgedBy: number) => {
    const command = { TableName: table, Key: key, ReturnValuesOnConditionCheckFailure: "ALL_OLD" as const, ...unmoved(judgedBy) };
    const blocking = await rowInTheWay(
      () => dynamo.send(new DeleteItemCommand(command)),
      () => readRow(key),
    );
    return !blocking || Object.keys(blocking).length === 0 ? 0 : "moved";
  };

  return {
    read: async (kind, scope, id) => {
      const row = await readRow(keyOf(kind, scope, id));
      return row && toStored<typeof kind>(row);
    },

    list: async <K extends RecordKind>(kind: K, scope: string) => {
      const found: Stored<BrainRecords[K]>[] = [];
      const pages = paginateQuery({ client: dynamo }, partitionQuery(table, kind, scope));
      for await (const page of pages) found.push(...(page.Items ?? []).map((row) => toStored<K>(row)));
      return found;
    },

    write: (kind, scope, id, value, judgedBy) => {
      const key = keyOf(kind, scope, id);
      return value === undefined ? remove(key, judgedBy) : put(key, value, judgedBy);
    },
  };
};

/** All rows of one partition, strongly consistent, ordered by id. */
export const partitionQuery = (table: string, kind: RecordKind, scope: string) => ({
  TableName: table,
  ConsistentRead: true,
  KeyConditionExpression: "pk = :pk",
  ExpressionAttributeValues: { ":pk": { S: partitionOf(kind, scope) } },
});
