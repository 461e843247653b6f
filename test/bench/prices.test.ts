import { readFile } from "node:fs/promises";
import { expect, test } from "vitest";
import { dollarsPerMillion, prices } from "../../bench/prices.ts";

test("the prices are those of docs/costs.md", async () => {
  const lines = (await readFile("docs/costs.md", "utf8")).split("\n");
  const inDocs = (what: string) =>
    lines
      .find((line) => line.startsWith(`| ${what}`))
      ?.split("|")
      .at(-2)
      ?.split(";")
      .map(Number);
  expect(inDocs("SNS publish, a million")).toEqual([prices.millionSnsPublishes]);
  expect(inDocs("SQS call, a million")).toEqual([prices.millionSqsCalls, prices.millionFifoCalls]);
  expect(inDocs("Lambda, a million invocations; a GB-second")).toEqual([prices.millionInvocations, prices.gbSecond]);
  expect(inDocs("DynamoDB on demand, a million writes")).toEqual([prices.millionWrites, prices.millionReads]);
  expect(inDocs("transfer between regions, a GB")).toEqual([prices.transferredGb]);
});

test("a message's dollars are its calls', its share of Lambda's time, and its bytes between regions", () => {
  const call = (service: string, action = "") => ({
    by: { name: "dispatch", region: "us-east-1" },
    service,
    action,
    region: "us-east-1",
    bytes: 0,
    isEmpty: false,
  });
  const calls = [
    call("sqs"),
    call("sns"),
    call("lambda"),
    call("dynamodb", "GetItem"),
    call("dynamodb", "UpdateItem"),
    { ...call("dynamodb", "BatchWriteItem"), rows: 10 },
  ];
  const time = 0.005 * 13.3334;
  expect(dollarsPerMillion(calls, 10_000, 10)).toBeCloseTo((0.4 + 0.5 + 0.2 + 0.125 + 0.625 + 10 * 0.625) / 10 + time + 0.02);
  expect(dollarsPerMillion([call("sqs")], 0, 10, true)).toBeCloseTo(0.5 / 10 + time);
});
