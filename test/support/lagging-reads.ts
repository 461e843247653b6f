import type { DynamoDBClient } from "@aws-sdk/client-dynamodb";

const reads = ["GetItemCommand", "QueryCommand", "BatchGetItemCommand"];

/** As DynamoDB may do at its worst: a read that doesn't ask to be strongly consistent sees nothing of what was written. */
export const laggingReads = (dynamo: DynamoDBClient): DynamoDBClient => {
  dynamo.middlewareStack.add(
    (next, { commandName = "" }) =>
      async (args) => {
        const isWeak = reads.includes(commandName) && !JSON.stringify(args.input).includes('"ConsistentRead":true');
        return isWeak ? { output: { $metadata: {} }, response: {} } : next(args);
      },
    { step: "initialize", name: "laggingReads" },
  );
  return dynamo;
};
