import { DynamoDBClient } from "@aws-sdk/client-dynamodb";
import { describe, expect, test } from "vitest";
import { dynamoProtection } from "../../aws/protection.ts";
import { stubbed } from "../support/stub.ts";
import { useEmulators } from "../support/worlds/emulator-world.ts";
import { emulatedDynamo, makeBrainTable } from "../support/worlds/tables.ts";

/** A table that takes some time to change. */
const protectedTable = (initially: boolean) => {
  const calls: object[] = [];
  let isProtected = initially;
  let updating = 0;
  const dynamo = stubbed(new DynamoDBClient({ region: "us-east-1" }), (input: { DeletionProtectionEnabled?: boolean }) => {
    if (input.DeletionProtectionEnabled !== undefined) {
      calls.push(input);
      isProtected = input.DeletionProtectionEnabled;
      updating = 2;
      return {};
    }
    return { Table: { DeletionProtectionEnabled: isProtected, TableStatus: updating-- > 0 ? "UPDATING" : "ACTIVE" } };
  });
  return { dynamo, calls, isBusy: () => updating > 0 };
};

describe("a table's protection", () => {
  test("is taken off, once, and the table can be deleted when that is answered", async () => {
    const { dynamo, calls, isBusy } = protectedTable(true);
    const protection = dynamoProtection(dynamo, ["brain"]);
    await protection.lift();
    expect(isBusy()).toBe(false);
    await protection.lift();
    expect(calls).toEqual([{ TableName: "brain", DeletionProtectionEnabled: false }]);
  });

  const emulators = useEmulators();
  test("that an emulator doesn't know is none", async () => {
    const dynamo = emulatedDynamo(emulators());
    await makeBrainTable(dynamo, "brain-unprotected");
    await expect(dynamoProtection(dynamo, ["brain-unprotected"]).lift()).resolves.toBeUndefined();
  });
});
