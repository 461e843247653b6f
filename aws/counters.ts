import {
  ConditionalCheckFailedException,
  DescribeTableCommand,
  type DynamoDBClient,
  GetItemCommand,
  UpdateItemCommand,
} from "@aws-sdk/client-dynamodb";
import { type RateWindow, type Taken, takenOf } from "../core/policy/rate.ts";
import type { Counters, TableIdentity } from "../core/ports.ts";
import { keyOf, numberIn, type Row } from "./rows.ts";

const numbers = (values: Readonly<Record<string, number>>): Row =>
  Object.fromEntries(Object.entries(values).map(([name, n]) => [name, { N: String(n) }]));

/** Counters as rows of their own: one partition each, so that a busy one slows nobody. A rate's window is `n` until `closesAt`. */
export const dynamoCounters = (dynamo: DynamoDBClient, table: string): Counters => ({
  add: async (counter, n) => {
    const key = { TableName: table, Key: keyOf("counter", counter, "n") };
    if (n === 0) return numberIn((await dynamo.send(new GetItemCommand({ ...key, ConsistentRead: true }))).Item, "n");
    const added = await dynamo.send(
      new UpdateItemCommand({
        ...key,
        UpdateExpression: "ADD n :n",
        ExpressionAttributeValues: { ":n": { N: String(n) } },
        ReturnValues: "UPDATED_NEW",
      }),
    );
    return numberIn(added.Attributes, "n");
  },

  take: async (window, n, rate, now) => {
    const row = { TableName: table, Key: keyOf("counter", window, "n") };
    if (n === 0) return takenOf(windowIn((await dynamo.send(new GetItemCommand({ ...row, ConsistentRead: true }))).Item), 0, rate, now);
    /** `undefined`: the condition doesn't hold. */
    const update = async (UpdateExpression: string, ConditionExpression: string, values: Row): Promise<Taken | undefined> => {
      const command = {
        ...row,
        UpdateExpression,
        ConditionExpression,
        ExpressionAttributeValues: values,
        ReturnValues: "ALL_NEW" as const,
      };
      try {
        return takenOf(windowIn((await dynamo.send(new UpdateItemCommand(command))).Attributes), n, rate, now);
      } catch (error) {
        if (error instanceof ConditionalCheckFailedException) return undefined;
        throw error;
      }
    };
    const join = () => update("ADD n :n", "closesAt > :now", numbers({ ":n": n, ":now": now }));
    const open = () =>
      update(
        "SET n = :n, closesAt = :end",
        "attribute_not_exists(closesAt) OR closesAt <= :now",
        numbers({ ":n": n, ":now": now, ":end": now + rate.duration }),
      );
    const taken = (await join()) ?? (await open()) ?? (await join());
    if (!taken) throw new Error(`rate window ${window} of table ${table} is neither open nor over: does somebody remove its row?`);
    return taken;
  },
});

/** DynamoDB's own id of the table, asked anew after ten seconds: a backup restored under its name has another. */
export const dynamoTableIdentity = (dynamo: DynamoDBClient, table: string, now: () => number = Date.now): TableIdentity => {
  const ask = async (): Promise<string> => {
    const id = (await dynamo.send(new DescribeTableCommand({ TableName: table }))).Table?.TableId;
    if (!id) throw new Error(`table ${table} shows no TableId: is ${table} a DynamoDB table of this region?`);
    return id;
  };
  let known: { readonly id: string; readonly until: number } | undefined;
  return {
    tableId: async () => {
      if (known && now() < known.until) return known.id;
      const id = await ask();
      known = { id, until: now() + 10_000 };
      return id;
    },
  };
};

const windowIn = (row: Row | undefined): RateWindow => ({ asked: numberIn(row, "n"), closesAt: numberIn(row, "closesAt") });
