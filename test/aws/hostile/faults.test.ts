import {
  BatchGetItemCommand,
  BatchWriteItemCommand,
  CreateTableCommand,
  DeleteTableCommand,
  DynamoDBClient,
  UpdateTableCommand,
} from "@aws-sdk/client-dynamodb";
import { CreateTopicCommand, PublishBatchCommand, PublishCommand, SNSClient, SubscribeCommand } from "@aws-sdk/client-sns";
import {
  ChangeMessageVisibilityCommand,
  CreateQueueCommand,
  DeleteMessageBatchCommand,
  DeleteMessageCommand,
  DeleteQueueCommand,
  GetQueueAttributesCommand,
  type Message,
  ReceiveMessageCommand,
  SendMessageBatchCommand,
  SendMessageCommand,
  SQSClient,
} from "@aws-sdk/client-sqs";
import { beforeEach, describe, expect, test, vi } from "vitest";
import { patiently } from "../../support/eventually.ts";
import type { FaultName } from "../../support/hostile/faults.ts";
import { hostile } from "../../support/hostile/hostile.ts";
import { seed } from "../../support/hostile/seed.ts";
import { useEmulators } from "../../support/worlds/emulator-world.ts";

// A minute of AWS in two seconds; one attempt, so that each fault shows as it is.
const layer = hostile({ seed, timesFaster: 30 });
const emulators = useEmulators(layer);
const account = "000000000000";
const config = (endpoint: string, requestTimeout = 10_000) => ({
  endpoint,
  region: "us-east-1",
  maxAttempts: 1,
  credentials: { accessKeyId: "test", secretAccessKey: "test" },
  requestHandler: { requestTimeout, throwOnRequestTimeout: true },
});
const sqs = (patience?: number) => new SQSClient({ ...config(emulators().sqs, patience), useQueueUrlAsEndpoint: false });
const sns = () => new SNSClient(config(emulators().sns));
const dynamo = () => new DynamoDBClient(config(emulators().dynamodb));

let made = 0;
let queue = "";
const urlOf = (name = queue) => `http://sqs/${account}/${name}`;
const arnOf = (name = queue) => `arn:aws:sqs:us-east-1:${account}:${name}`;
const makeQueue = (QueueName = queue, Attributes = {}) => sqs().send(new CreateQueueCommand({ QueueName, Attributes }));
const entries = (bodies: readonly string[]) => bodies.map((MessageBody, i) => ({ Id: `${i}`, MessageBody }));
const sendAll = (...bodies: string[]) => sqs().send(new SendMessageBatchCommand({ QueueUrl: urlOf(), Entries: entries(bodies) }));
const receive = async (name = queue): Promise<readonly Message[]> => {
  const command = new ReceiveMessageCommand({ QueueUrl: urlOf(name), MaxNumberOfMessages: 10, MessageSystemAttributeNames: ["All"] });
  return (await sqs().send(command)).Messages ?? [];
};
const remove = ({ ReceiptHandle }: Message) => sqs().send(new DeleteMessageCommand({ QueueUrl: urlOf(), ReceiptHandle }));
const bodies = (messages: readonly Message[]) => messages.map(({ Body }) => Body);
const depth = async () => {
  const command = new GetQueueAttributesCommand({ QueueUrl: urlOf(), AttributeNames: ["ApproximateNumberOfMessages"] });
  return (await sqs().send(command)).Attributes?.ApproximateNumberOfMessages;
};
const inFlight = async () => {
  const command = new GetQueueAttributesCommand({ QueueUrl: urlOf(), AttributeNames: ["ApproximateNumberOfMessagesNotVisible"] });
  return (await sqs().send(command)).Attributes?.ApproximateNumberOfMessagesNotVisible;
};
const makeTopic = async (Attributes = {}) => (await sns().send(new CreateTopicCommand({ Name: queue, Attributes }))).TopicArn ?? "";
const always = (fault: FaultName) => layer.ask({ [fault]: 1 });
const nonEmpty = (messages: readonly Message[]) => (messages.length > 0 ? messages : undefined);
/** Its error's name, or that there was none. */
const outcome = (call: Promise<unknown>) =>
  call.then(
    () => "done",
    ({ name, code }: { readonly name: string; readonly code?: string }) => code ?? name,
  );

beforeEach(() => {
  layer.calm();
  made += 1;
  queue = `q${made}`;
});

describe(`hostile ports, seed ${seed}: a received copy`, () => {
  test("that is doubled comes again with another receipt some seconds later, also after its delete", async () => {
    await makeQueue();
    await sendAll("x");
    always("doubles");
    const [first] = await receive();
    layer.calm();
    if (first) await remove(first);
    expect(await receive()).toEqual([]);
    const [again] = await vi.waitUntil(async () => nonEmpty(await receive()), patiently);
    expect(again).toMatchObject({ MessageId: first?.MessageId, Body: "x", Attributes: { ApproximateReceiveCount: "2" } });
    expect(again?.ReceiptHandle).not.toBe(first?.ReceiptHandle);
  });

  test("that two handlers get is there again at once, and either's delete is the message's", async () => {
    await makeQueue(queue, { VisibilityTimeout: "30" });
    await sendAll("x");
    always("two-handlers");
    const [first] = await receive();
    layer.calm();
    const [second] = await receive();
    expect(second).toMatchObject({ MessageId: first?.MessageId });
    if (second) await remove(second);
    expect(await inFlight()).toBe("0");
  });

  test("comes again after a delete that was answered", async () => {
    await makeQueue();
    await sendAll("x", "y");
    always("after-delete");
    const held = await receive();
    const Entries = held.map(({ ReceiptHandle }, i) => ({ Id: `${i}`, ReceiptHandle }));
    expect(await sqs().send(new DeleteMessageBatchCommand({ QueueUrl: urlOf(), Entries }))).toMatchObject({
      Successful: [{ Id: "0" }, { Id: "1" }],
    });
    layer.calm();
    expect(bodies(await receive())).toEqual(["x", "y"]);
  });

  test("comes again before a delete that is too late, and stays", async () => {
    await makeQueue(queue, { VisibilityTimeout: "30" });
    await sendAll("x");
    always("late-deletes");
    const [first] = await receive();
    const removed = first && remove(first);
    const [again] = await vi.waitUntil(async () => nonEmpty(await receive()), patiently);
    await removed;
    expect(again).toMatchObject({ MessageId: first?.MessageId, Body: "x" });
    expect(await inFlight()).toBe("1");
  });

  test("comes after those that were sent later", async () => {
    await makeQueue();
    await sendAll("1", "2", "3");
    always("reorder");
    const early = bodies(await receive());
    layer.calm();
    expect([early, bodies(await receive())]).toEqual([["3", "2"], ["1"]]);
  });
});

test.for<{ fault: FaultName }>([{ fault: "doubles" }, { fault: "two-handlers" }, { fault: "reorder" }])(
  "$fault leaves a FIFO queue as it is: each copy once, in order",
  async ({ fault }) => {
    queue = `${queue}.fifo`;
    await makeQueue(queue, { FifoQueue: "true", VisibilityTimeout: "30" });
    const Entries = entries(["1", "2"]).map((one) => ({ ...one, MessageGroupId: one.Id, MessageDeduplicationId: one.Id }));
    await sqs().send(new SendMessageBatchCommand({ QueueUrl: urlOf(), Entries }));
    always(fault);
    expect([bodies(await receive()), bodies(await receive())]).toEqual([["1", "2"], []]);
    expect(layer.unfired()).toEqual([fault]);
  },
);

describe("a call", () => {
  test.for<{ fault: FaultName; says: string; left: string }>([
    { fault: "throttling", says: "RequestThrottled", left: "0" },
    { fault: "hangs", says: "ETIMEDOUT", left: "0" },
    { fault: "lost-answers", says: "ECONNRESET", left: "1" },
  ])("under $fault says $says and leaves $left messages", async ({ fault, says, left }) => {
    await makeQueue();
    always(fault);
    const sending = await outcome(sqs(1_000).send(new SendMessageCommand({ QueueUrl: urlOf(), MessageBody: "x" })));
    layer.calm();
    expect([sending, await depth()]).toEqual([says, left]);
  });

  test.for<{ service: string; call: () => Promise<unknown>; says: string }>([
    { service: "SNS", call: () => makeTopic(), says: "Throttling" },
    { service: "DynamoDB", call: () => dynamo().send(new DeleteTableCommand({ TableName: "none" })), says: "ThrottlingException" },
  ])("to $service is throttled in its own words", async ({ call, says }) => {
    always("throttling");
    expect(await outcome(call())).toBe(says);
  });

  test("that the last attempt's sparing spares succeeds when the SDK repeats it", async () => {
    const sparing = hostile({ seed, sparesLastAttempt: true });
    const { sqs: endpoint } = await sparing.before({ sqs: emulators().sqs });
    await makeQueue();
    sparing.ask({ throttling: 1 });
    const client = new SQSClient({ ...config(endpoint), maxAttempts: 2, useQueueUrlAsEndpoint: false });
    await client.send(new SendMessageCommand({ QueueUrl: urlOf(), MessageBody: "x" }));
    expect(sparing.census()).toEqual({ throttling: 1 });
    await sparing.stop();
  });
});

describe("of a batch", () => {
  test("to a queue entries fail one by one, the others are done", async () => {
    await makeQueue();
    layer.ask({ "partial-failures": 0.3 });
    const { Successful = [], Failed = [] } = await sendAll(..."0123456789");
    layer.calm();
    expect(Failed.length).toBeGreaterThan(0);
    expect(Failed[0]).toMatchObject({ Code: "InternalError", SenderFault: false });
    expect([...Successful, ...Failed]).toHaveLength(10);
    expect(await depth()).toBe(String(Successful.length));
  });

  test("to a topic too", async () => {
    const TopicArn = await makeTopic();
    await makeQueue();
    await sns().send(new SubscribeCommand({ TopicArn, Protocol: "sqs", Endpoint: arnOf() }));
    layer.ask({ "partial-failures": 0.3 });
    const PublishBatchRequestEntries = [..."0123456789"].map((Message) => ({
      Id: Message,
      Message,
      MessageAttributes: { n: { DataType: "String", StringValue: Message } },
    }));
    const { Successful = [], Failed = [] } = await sns().send(new PublishBatchCommand({ TopicArn, PublishBatchRequestEntries }));
    layer.calm();
    expect(Failed[0]).toMatchObject({ Code: "InternalError", SenderFault: false });
    expect([...Successful, ...Failed]).toHaveLength(10);
    expect((await receive()).map(({ Body = "" }) => JSON.parse(Body).Message).sort()).toEqual(Successful.map(({ Id }) => Id).sort());
  });

  test("of keys none is read", async () => {
    always("partial-failures");
    const RequestItems = { table: { Keys: [{ pk: { S: "a" } }] } };
    expect(await dynamo().send(new BatchGetItemCommand({ RequestItems }))).toMatchObject({ Responses: {}, UnprocessedKeys: RequestItems });
  });

  test("of rows none is written", async () => {
    always("partial-failures");
    const RequestItems = { table: [{ PutRequest: { Item: { pk: { S: "a" } } } }] };
    expect(await dynamo().send(new BatchWriteItemCommand({ RequestItems }))).toMatchObject({ UnprocessedItems: RequestItems });
  });
});

describe("time", () => {
  test("a subscription is answered at once and delivers within half a minute", async () => {
    const TopicArn = await makeTopic();
    await makeQueue();
    always("slow-subscriptions");
    await sns().send(new SubscribeCommand({ TopicArn, Protocol: "sqs", Endpoint: arnOf() }));
    expect(layer.unfired()).toEqual([]);
    const publish = () => sns().send(new PublishCommand({ TopicArn, Message: "x" }));
    await vi.waitUntil(async () => (await publish()) && nonEmpty(await receive()), { timeout: 2_000 });
  });

  test("a depth is that of a minute ago", async () => {
    await makeQueue();
    await sendAll("x", "y");
    always("lagging-depths");
    expect(await depth()).toBe("0");
    await vi.waitUntil(async () => (await depth()) === "2", { timeout: 4_000 });
  });

  test("a new queue isn't known for a second", async () => {
    always("unknown-queues");
    await makeQueue();
    expect(await outcome(sendAll("x"))).toBe("QueueDoesNotExist");
    await vi.waitUntil(async () => (await outcome(sendAll("x"))) === "done", patiently);
  });
});

describe("what AWS refuses", () => {
  const attributes = (count: number) =>
    Object.fromEntries(Array.from({ length: count }, (_, i) => [`a${i}`, { DataType: "String", StringValue: "x" }]));
  const key = { TableName: "guarded", KeySchema: [{ AttributeName: "pk", KeyType: "HASH" }] } as const;

  test.for<{ fault: FaultName; what: string; call: () => Promise<unknown>; says: string }>([
    {
      fault: "fifo-delays",
      what: "a delay of one message of a FIFO queue",
      call: async () => {
        await makeQueue("ordered.fifo", { FifoQueue: "true" });
        const message = { MessageBody: "x", MessageGroupId: "g", MessageDeduplicationId: "d", DelaySeconds: 1 };
        await sqs().send(new SendMessageCommand({ QueueUrl: urlOf("ordered.fifo"), ...message }));
      },
      says: "InvalidParameterValue",
    },
    {
      fault: "fifo-names",
      what: "a FIFO queue that is said to be none",
      call: () => makeQueue("untold.fifo"),
      says: "InvalidParameterValue",
    },
    {
      fault: "fifo-endpoints",
      what: "a FIFO queue's subscription to a standard topic",
      call: async () => {
        await makeQueue("subscriber.fifo", { FifoQueue: "true" });
        await sns().send(new SubscribeCommand({ TopicArn: await makeTopic(), Protocol: "sqs", Endpoint: arnOf("subscriber.fifo") }));
      },
      says: "InvalidParameterException",
    },
    {
      fault: "protected-tables",
      what: "deletion of a protected table",
      call: async () => {
        const AttributeDefinitions = [{ AttributeName: "pk", AttributeType: "S" }] as const;
        const table = { ...key, KeySchema: [...key.KeySchema], AttributeDefinitions: [...AttributeDefinitions] };
        await dynamo().send(new CreateTableCommand({ ...table, BillingMode: "PAY_PER_REQUEST", DeletionProtectionEnabled: true }));
        await dynamo().send(new DeleteTableCommand({ TableName: key.TableName }));
      },
      says: "ValidationException",
    },
    {
      fault: "deleted-names",
      what: "the name of a queue that was deleted a moment ago",
      call: async () => {
        await makeQueue();
        await sqs().send(new DeleteQueueCommand({ QueueUrl: urlOf() }));
        await makeQueue();
      },
      says: "QueueDeletedRecently",
    },
    {
      fault: "empty-bodies",
      what: "a batch with an empty body",
      call: () => makeQueue().then(() => sendAll("x", "")),
      says: "MissingParameter",
    },
    {
      fault: "empty-bodies",
      what: "an empty publication",
      call: async () => sns().send(new PublishCommand({ TopicArn: await makeTopic(), Message: "" })),
      says: "InvalidParameterException",
    },
    {
      fault: "eleventh-attributes",
      what: "an eleventh attribute",
      call: () =>
        makeQueue().then(() =>
          sqs().send(new SendMessageCommand({ QueueUrl: urlOf(), MessageBody: "x", MessageAttributes: attributes(11) })),
        ),
      says: "InvalidParameterValue",
    },
    {
      fault: "bad-receipts",
      what: "a receipt that it never gave",
      call: () =>
        makeQueue().then(() =>
          sqs().send(new ChangeMessageVisibilityCommand({ QueueUrl: urlOf(), ReceiptHandle: "made up", VisibilityTimeout: 0 })),
        ),
      says: "ReceiptHandleIsInvalid",
    },
    {
      fault: "missing-endpoints",
      what: "a subscription of a queue that isn't there",
      call: async () => sns().send(new SubscribeCommand({ TopicArn: await makeTopic(), Protocol: "sqs", Endpoint: arnOf("nowhere") })),
      says: "InvalidParameterException",
    },
    {
      fault: "topic-limits",
      what: "a body over its topic's limit",
      call: async () =>
        sns().send(new PublishCommand({ TopicArn: await makeTopic({ MaximumMessageSize: "2048" }), Message: "x".repeat(2_049) })),
      says: "InvalidParameterException",
    },
  ])("$what: $says", async ({ fault, call, says }) => {
    layer.ask([fault]);
    expect(await outcome(call())).toBe(says);
    expect(layer.census()).toEqual({ [fault]: 1 });
  });

  test("a table is deleted once its protection is off", async () => {
    layer.ask(["protected-tables"]);
    await dynamo().send(new UpdateTableCommand({ TableName: key.TableName, DeletionProtectionEnabled: false }));
    expect(await outcome(dynamo().send(new DeleteTableCommand({ TableName: key.TableName })))).toBe("done");
  });

  test("what a topic can't deliver, since the queue is gone, stands in the subscription's dead letters", async () => {
    const TopicArn = await makeTopic();
    await makeQueue();
    layer.ask(["gone-endpoints"]);
    const Attributes = { RedrivePolicy: JSON.stringify({ deadLetterTargetArn: arnOf() }) };
    await sns().send(new SubscribeCommand({ TopicArn, Protocol: "sqs", Endpoint: arnOf("gone"), Attributes }));
    await sns().send(new PublishCommand({ TopicArn, Message: "x" }));
    expect((await receive()).map(({ Body = "" }) => JSON.parse(Body))).toMatchObject([{ Type: "Notification", TopicArn, Message: "x" }]);
  });
});

test("a seed replays its draws", async () => {
  const run = async () => {
    const replayed = hostile({ seed });
    const { sqs: endpoint } = await replayed.before({ sqs: emulators().sqs });
    replayed.ask({ throttling: 0.5 });
    const client = new SQSClient({ ...config(endpoint), useQueueUrlAsEndpoint: false });
    const outcomes: string[] = [];
    for (let i = 0; i < 20; i += 1) outcomes.push(await outcome(client.send(new ReceiveMessageCommand({ QueueUrl: urlOf("same") }))));
    await replayed.stop();
    return outcomes;
  };
  const first = await run();
  expect(await run()).toEqual(first);
  expect(new Set(first).size).toBe(2);
});

test("a fault that was asked for and never struck is named", () => {
  layer.ask(["doubles", "reorder"]);
  expect(layer.unfired()).toEqual(["doubles", "reorder"]);
});
