import { CreateTableCommand, DescribeTableCommand, type DynamoDBClient } from "@aws-sdk/client-dynamodb";
import { dynamoAudit } from "../../../aws/audit.ts";
import { dynamoBrain } from "../../../aws/brain.ts";
import { dynamoIn } from "../../../aws/clients.ts";
import { dynamoCounters, dynamoTableIdentity } from "../../../aws/counters.ts";
import { awsSetup } from "../../../aws/setup.ts";
import type { Emulators } from "../../../local/emulators.ts";
import { laggingReads } from "../lagging-reads.ts";
import type { MemoryBrain } from "../memory/brain.ts";
import { emulatorEnvironment, type RunningEmulators } from "./emulator-world.ts";

/** A brain as any store keeps it. */
export type OpenBrain = () => Promise<MemoryBrain>;

/** The emulator has no read that lags: this one has. */
export const emulatedDynamo = (emulators: Emulators): DynamoDBClient =>
  laggingReads(dynamoIn(awsSetup(emulatorEnvironment(emulators)))("us-east-1"));

/** As the stack makes it; docs/table.md. */
export const makeBrainTable = (dynamo: DynamoDBClient, table: string): Promise<void> => makeTable(dynamo, table, "pk", "sk");

/** As the stack makes it; docs/table.md. */
export const makeAuditTable = (dynamo: DynamoDBClient, table: string): Promise<void> => makeTable(dynamo, table, "claim");

const makeTable = async (dynamo: DynamoDBClient, table: string, ...keys: readonly string[]): Promise<void> => {
  await dynamo.send(
    new CreateTableCommand({
      TableName: table,
      BillingMode: "PAY_PER_REQUEST",
      KeySchema: keys.map((AttributeName, i) => ({ AttributeName, KeyType: i === 0 ? "HASH" : "RANGE" })),
      AttributeDefinitions: keys.map((AttributeName) => ({ AttributeName, AttributeType: "S" })),
    }),
  );
  const status = async () => (await dynamo.send(new DescribeTableCommand({ TableName: table }))).Table?.TableStatus;
  while ((await status()) !== "ACTIVE");
};

export const brainOn = (dynamo: DynamoDBClient, table: string, now: () => number): MemoryBrain => ({
  ...dynamoBrain({ dynamo, table, now }),
  ...dynamoCounters(dynamo, table),
  ...dynamoTableIdentity(dynamo, table),
});

/** A table of its own for each brain; each reading of the clock is a millisecond later. */
export const tableBrains = (emulators: () => RunningEmulators): OpenBrain => {
  let opened = 0;
  return async () => {
    const dynamo = emulatedDynamo(emulators());
    const table = `brain-${++opened}`;
    await makeBrainTable(emulatedDynamo(emulators().direct), table);
    let now = 1_000_000;
    return brainOn(dynamo, table, () => now++);
  };
};

/** An audit with a table of its own. */
export const tableAudits = <P = object>(emulators: () => RunningEmulators) => {
  let opened = 0;
  return async () => {
    const table = `audit-${++opened}`;
    await makeAuditTable(emulatedDynamo(emulators().direct), table);
    return dynamoAudit<P>({ dynamo: emulatedDynamo(emulators()), table });
  };
};
