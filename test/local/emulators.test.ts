import { CreateTableCommand, DescribeTableCommand, DynamoDBClient } from "@aws-sdk/client-dynamodb";
import { CreateQueueCommand, GetQueueAttributesCommand, ReceiveMessageCommand, SendMessageCommand, SQSClient } from "@aws-sdk/client-sqs";
import { expect, test } from "vitest";
import { startEmulators } from "../../local/emulators.ts";
import { besideASquatter } from "../support/beside-a-squatter.ts";
import { eventually } from "../support/eventually.ts";

const credentials = { accessKeyId: "test", secretAccessKey: "test" };

test("queues and tables work, and stop ends a long poll and leaves no socket", async () => {
  const emulators = await startEmulators();
  const sqs = new SQSClient({ region: "eu-west-1", endpoint: emulators.sqs, credentials, maxAttempts: 1 });
  const dynamodb = new DynamoDBClient({ region: "eu-west-1", endpoint: emulators.dynamodb, credentials });
  const { QueueUrl } = await sqs.send(new CreateQueueCommand({ QueueName: "q" }));
  await dynamodb.send(
    new CreateTableCommand({
      TableName: "table",
      BillingMode: "PAY_PER_REQUEST",
      AttributeDefinitions: [{ AttributeName: "pk", AttributeType: "S" }],
      KeySchema: [{ AttributeName: "pk", KeyType: "HASH" }],
    }),
  );
  const { Table } = await dynamodb.send(new DescribeTableCommand({ TableName: "table" }));
  expect(Table).toMatchObject({ TableStatus: "ACTIVE", TableId: expect.any(String) });
  const poll = sqs.send(new ReceiveMessageCommand({ QueueUrl, WaitTimeSeconds: 20 })).then(
    () => "ended",
    () => "ended",
  );
  await emulators.stop();
  expect(await poll).toBe("ended");
  sqs.destroy();
  dynamodb.destroy();
});

test("what nobody deleted counts as visible when its visibility is over, before anybody receives", async () => {
  const emulators = await startEmulators();
  const sqs = new SQSClient({ region: "eu-west-1", endpoint: emulators.sqs, credentials, maxAttempts: 1 });
  const { QueueUrl } = await sqs.send(new CreateQueueCommand({ QueueName: "q" }));
  await sqs.send(new SendMessageCommand({ QueueUrl, MessageBody: "left" }));
  const depths = async () => {
    const AttributeNames = ["ApproximateNumberOfMessages", "ApproximateNumberOfMessagesNotVisible"] as const;
    const { Attributes } = await sqs.send(new GetQueueAttributesCommand({ QueueUrl, AttributeNames: [...AttributeNames] }));
    return AttributeNames.map((name) => Attributes?.[name]);
  };
  await sqs.send(new ReceiveMessageCommand({ QueueUrl, VisibilityTimeout: 1 }));
  await eventually(depths).toEqual(["1", "0"]);
  await emulators.stop();
  sqs.destroy();
});

test("a port in use is said in words, and nothing stays open", async () => {
  const start = (port: number) => startEmulators({ port });
  expect(await besideASquatter(0, start)).toBe(
    "port taken is in use: end what listens there, or choose another port (0 takes any free one)",
  );
  await eventually(() => besideASquatter(1, start)).toContain("port taken is in use");
});
