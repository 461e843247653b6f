import { DynamoDBClient } from "@aws-sdk/client-dynamodb";
import { describe, expect, test } from "vitest";
import type { DestinationRecord } from "../../core/broker/records.ts";
import { loseFirstAnswer } from "../support/lose-first-answer.ts";
import { memoryBrain } from "../support/memory/brain.ts";
import { stubbed } from "../support/stub.ts";
import { useEmulators } from "../support/worlds/emulator-world.ts";
import { brainOn, emulatedDynamo, makeBrainTable, tableBrains } from "../support/worlds/tables.ts";
import { brainContract } from "./contracts/brain.ts";
import { countersContract } from "./contracts/counters.ts";

let memoryTables = 0;
const memory = async () => memoryBrain(`memory-${++memoryTables}`);
const emulators = useEmulators();
const tables = tableBrains(emulators);

brainContract("memory", memory);
brainContract("DynamoDB", tables);
countersContract("memory", memory);
countersContract("DynamoDB", tables);

describe("a lost answer of DynamoDB", () => {
  const record: DestinationRecord = { destination: { kind: "queue", name: "a" }, owner: "auto", madeAt: 0 };

  test("doesn't make our own first write look like another's", async () => {
    const { brain, losing } = await twoWays("lost-first");
    const revision = await losing.write("destination", "", "a", record, 0);
    expect(await brain.read("destination", "", "a")).toEqual({ id: "a", value: record, revision });
  });

  test("doesn't make our own later write look like another's", async () => {
    const { brain, losing } = await twoWays("lost-later");
    await brain.write("destination", "", "a", record, 0);
    const { revision = 0 } = (await brain.read("destination", "", "a")) ?? {};
    const later = await losing.write("destination", "", "a", { ...record, madeAt: 1 }, revision);
    expect(later).toBe((await brain.read("destination", "", "a"))?.revision);
  });

  test("doesn't make our own removal look like another's", async () => {
    const { brain, losing } = await twoWays("lost-removal");
    await brain.write("destination", "", "a", record, 0);
    const { revision = 0 } = (await brain.read("destination", "", "a")) ?? {};
    expect(await losing.write("destination", "", "a", undefined, revision)).toBe(0);
    expect(await brain.read("destination", "", "a")).toBeUndefined();
  });

  /** One table, seen by a client whose first answer is lost and by a sound one. */
  const twoWays = async (table: string) => {
    const [sound, lossy] = [emulatedDynamo(emulators()), emulatedDynamo(emulators())];
    await makeBrainTable(sound, table);
    loseFirstAnswer(lossy);
    return { brain: brainOn(sound, table, () => 1), losing: brainOn(lossy, table, () => 2) };
  };
});

describe("reads of DynamoDB", () => {
  test("read a counter without writing it", async () => {
    const asked: object[] = [];
    const dynamo = stubbed(new DynamoDBClient({ region: "us-east-1" }), (input: object) => asked.push(input) && {});
    await brainOn(dynamo, "table", () => 1).add("shares", 0);
    expect(asked).toEqual([expect.not.objectContaining({ UpdateExpression: expect.anything() })]);
  });
});
