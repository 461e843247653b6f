import {
  type BatchWriteItemCommandInput,
  ConditionalCheckFailedException,
  type ConsumedCapacity,
  DynamoDBClient,
  type PutItemCommandInput,
} from "@aws-sdk/client-dynamodb";
import { describe, expect, test } from "vitest";
import { dynamoAudit } from "../../aws/audit.ts";
import { memoryAudit } from "../../aws/memory-audit.ts";
import type { Claim } from "../../core/carry/audit.ts";
import { arrivalKey } from "../../core/carry/scope.ts";
import type { Destination } from "../../core/destination/destination.ts";
import type { Plan } from "../../core/routing/plan.ts";
import { loseFirstAnswer } from "../support/lose-first-answer.ts";
import { stubbed } from "../support/stub.ts";
import { useEmulators } from "../support/worlds/emulator-world.ts";
import { emulatedDynamo, makeAuditTable, tableAudits } from "../support/worlds/tables.ts";
import { us } from "../support/worlds/world.ts";
import { auditContract } from "./contracts/audit.ts";

const emulators = useEmulators();

auditContract("memory", async () => memoryAudit<object>());
auditContract("DynamoDB", tableAudits(emulators));

const claim: Claim<string> = { key: "k", owner: "copy1", attempt: "first", plan: "toEu" };
const other = { ...claim, owner: "copy2", attempt: "second" };
const auditThat = (answer: (input: never) => unknown) =>
  dynamoAudit<string>({ dynamo: stubbed(new DynamoDBClient({ region: "us-east-1" }), answer), table: "audit" });

describe("a lost answer of DynamoDB", () => {
  /** One table, seen by a client whose first answer is lost and by a sound one. */
  const twoWays = async (table: string) => {
    const [sound, lossy] = [emulatedDynamo(emulators()), emulatedDynamo(emulators())];
    await makeAuditTable(sound, table);
    loseFirstAnswer(lossy);
    return { audit: dynamoAudit<string>({ dynamo: sound, table }), losing: dynamoAudit<string>({ dynamo: lossy, table }) };
  };

  test("makes our own claim a found one, and it is told by its attempt", async () => {
    const { losing } = await twoWays("lost-claim");
    expect(await losing.claim([claim], 0)).toMatchObject([{ answer: "found", record: { attempt: "first", state: "claimed" } }]);
  });

  test("doesn't make our own taking over look like another's", async () => {
    const { audit, losing } = await twoWays("lost-taking");
    await audit.claim([claim], 0);
    expect(await losing.takeOver(other, { ...claim, claimedAt: 0, state: "claimed" }, 9)).toBe("granted");
  });

  test("doesn't make what we settled unsettled", async () => {
    const { audit, losing } = await twoWays("lost-settling");
    await audit.claim([claim], 0);
    expect(await losing.settle([claim], 0)).toEqual(["settled"]);
  });

  test("doesn't make a release fail", async () => {
    const { audit, losing } = await twoWays("lost-release");
    await audit.claim([claim], 0);
    expect(await losing.release([claim])).toEqual(["released"]);
    expect(await audit.claim([other], 0)).toEqual([{ answer: "granted" }]);
  });
});

describe("a table that doesn't answer", () => {
  const failing = auditThat(() => {
    throw Object.assign(new Error("slow down"), { name: "ThrottlingException" });
  });

  test("leaves a claim unknown, and says why", async () => {
    expect(await failing.claim([claim], 0)).toEqual([{ answer: "unknown", why: "ThrottlingException: slow down" }]);
  });

  test("grants no taking over, settles nothing and releases nothing", async () => {
    expect(await failing.takeOver(other, { ...claim, claimedAt: 0, state: "claimed" }, 9)).toBe("lost");
    expect(await failing.settle([claim], 0)).toEqual(["unsettled"]);
    expect(await failing.release([claim])).toEqual(["unreleased"]);
  });

  test("for one claim hurts none of the others", async () => {
    const audit = auditThat(({ Item }: PutItemCommandInput) => {
      if (Item?.claim?.S === "k1") throw new Error("no");
      return {};
    });
    const claims = ["k0", "k1", "k2"].map((key) => ({ ...claim, key }));
    expect((await audit.claim(claims, 0)).map(({ answer }) => answer)).toEqual(["granted", "unknown", "granted"]);
  });
});

describe("a settle that DynamoDB takes in part", () => {
  const three = ["k0", "k1", "k2"].map((key) => ({ ...claim, key }));
  type Puts = NonNullable<BatchWriteItemCommandInput["RequestItems"]>[string];
  /** Leaves out a key, so many times. */
  const leavingOut = (key: string, times: number) => {
    const calls: number[] = [];
    const audit = auditThat(
      ({ RequestItems: { audit: puts = [] } = {} }: BatchWriteItemCommandInput & { RequestItems?: { audit?: Puts } }) => {
        calls.push(puts.length);
        const left = puts.filter(({ PutRequest }) => PutRequest?.Item?.claim?.S === key);
        return calls.length <= times && left.length > 0 ? { UnprocessedItems: { audit: left } } : {};
      },
    );
    return { audit, calls };
  };

  test("is asked for the rest again", async () => {
    const { audit, calls } = leavingOut("k1", 2);
    expect(await audit.settle(three, 0)).toEqual(["settled", "settled", "settled"]);
    expect(calls).toEqual([3, 1, 1]);
  });

  test("leaves unsettled what it never takes", async () => {
    const { audit, calls } = leavingOut("k1", 9);
    expect(await audit.settle(three, 0)).toEqual(["settled", "unsettled", "settled"]);
    expect(calls).toEqual([3, 1, 1]);
  });
});

describe("a claim costs", () => {
  test("one call and no read, won or lost: AWS returns what stood in the way", async () => {
    const calls: object[] = [];
    const row = {
      claim: { S: "k" },
      owner: { S: "c" },
      attempt: { S: "a" },
      claimedAt: { N: "7" },
      plan: { S: '"p"' },
      outcome: { S: "done" },
    };
    const audit = auditThat((input) => {
      calls.push(input);
      throw new ConditionalCheckFailedException({ message: "", $metadata: {}, Item: row });
    });
    expect(await audit.claim([claim], 0)).toEqual([
      { answer: "found", record: { owner: "c", attempt: "a", claimedAt: 7, plan: "p", state: "done" } },
    ]);
    expect(await audit.takeOver(other, { ...claim, claimedAt: 0, state: "claimed" }, 9)).toBe("lost");
    expect(calls).toHaveLength(2);
  });

  /** Write units as the table counts them. */
  const unitsOf = async (table: string, destination: Destination): Promise<readonly number[]> => {
    const dynamo = emulatedDynamo(emulators());
    await makeAuditTable(dynamo, table);
    const units: number[] = [];
    dynamo.middlewareStack.add(
      (next) => async (args) => {
        const answer = await next({ ...args, input: { ...args.input, ReturnConsumedCapacity: "TOTAL" } } as typeof args);
        const { ConsumedCapacity } = answer.output as { readonly ConsumedCapacity: ConsumedCapacity | readonly ConsumedCapacity[] };
        units.push(...[ConsumedCapacity].flat().map(({ CapacityUnits = 0 }) => CapacityUnits));
        return answer;
      },
      { step: "initialize", name: "units" },
    );
    const audit = dynamoAudit<Plan>({ dynamo, table });
    const id = "8f3c1a52-6f5e-4b7e-9d52-0c6f3a3f9a11";
    const key = arrivalKey({ id, brokerPath: [us] }, "inbound", destination);
    const plan: Plan = { plan: "hand-over", target: { to: "queue", destination }, destination, reason: "local-consumers" };
    const mine = { key, owner: id, attempt: id, plan };
    await audit.claim([mine], Date.UTC(2026, 0, 1));
    await audit.settle([mine], Date.UTC(2026, 0, 1));
    return units;
  };

  test("one write unit, and one to settle it", async () => {
    expect(await unitsOf("short-name", { kind: "queue", name: "orders.new" })).toEqual([1, 1]);
  });

  test("no more with the longest name that a destination may have", async () => {
    expect(await unitsOf("long-name", { kind: "topic", name: "n".repeat(300) })).toEqual([1, 1]);
  });
});
