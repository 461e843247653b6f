import { DescribeTableCommand, type DynamoDBClient, UpdateTableCommand, waitUntilTableExists } from "@aws-sdk/client-dynamodb";
import type { Protection } from "../core/ports.ts";

/** DynamoDB's deletion protection. Waits until each table takes a call again: CloudFormation deletes it next. */
export const dynamoProtection = (dynamo: DynamoDBClient, tables: readonly string[]): Protection => ({
  lift: async () => {
    for (const TableName of tables) {
      const { Table } = await dynamo.send(new DescribeTableCommand({ TableName }));
      if (!Table?.DeletionProtectionEnabled) continue;
      await dynamo.send(new UpdateTableCommand({ TableName, DeletionProtectionEnabled: false }));
      await waitUntilTableExists({ client: dynamo, maxWaitTime: 60, minDelay: 1, maxDelay: 5 }, { TableName });
    }
  },
});
