import { DescribeTableCommand, type DynamoDBClient, GetItemCommand, UpdateItemCommand } from "@aws-sdk/client-dynamodb";
import type { Counters, TableIdentity } from "../core/ports.ts";
import { keyOf, numberIn } from "./rows.ts";

/** Counters as rows of their own: one partition each, so that a busy one slows nobody. */
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
