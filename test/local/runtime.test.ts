import { DescribeTableCommand } from "@aws-sdk/client-dynamodb";
import { PublishCommand } from "@aws-sdk/client-sns";
import { GetQueueAttributesCommand, GetQueueUrlCommand, SendMessageCommand, SQSClient } from "@aws-sdk/client-sqs";
import { CfnResource, CustomResource, Duration } from "aws-cdk-lib";
import { AttributeType, BillingMode, Table, TableV2 } from "aws-cdk-lib/aws-dynamodb";
import { EventSourceMapping } from "aws-cdk-lib/aws-lambda";
import { Schedule, ScheduleExpression, ScheduleTargetInput } from "aws-cdk-lib/aws-scheduler";
import { LambdaInvoke } from "aws-cdk-lib/aws-scheduler-targets";
import { Topic } from "aws-cdk-lib/aws-sns";
import { SqsSubscription } from "aws-cdk-lib/aws-sns-subscriptions";
import { Queue } from "aws-cdk-lib/aws-sqs";
import { Provider } from "aws-cdk-lib/custom-resources";
import type { SQSEvent } from "aws-lambda";
import { afterEach, describe, expect, test } from "vitest";
import { type Runtime, startRuntime } from "../../local/runtime.ts";
import { eventually } from "../support/eventually.ts";
import { aFunction, entriesFrom, synthesised } from "./toy-stack.ts";

let runtime: Runtime | undefined;
afterEach(() => runtime?.stop());

const urlOf = async (region: string, QueueName: string) =>
  (await runtime?.clientsFor(region).sqs.send(new GetQueueUrlCommand({ QueueName })))?.QueueUrl;
const attributesOf = async (region: string, name: string) => {
  const command = new GetQueueAttributesCommand({ QueueUrl: await urlOf(region, name), AttributeNames: ["All"] });
  return (await runtime?.clientsFor(region).sqs.send(command))?.Attributes;
};

describe("the runtime", () => {
  test("makes queues and tables as the template says", async () => {
    const stacks = synthesised({
      "eu-west-1": (stack) => {
        const deadLetters = new Queue(stack, "Dead", { queueName: "dead", enforceSSL: true });
        new Queue(stack, "Orders", {
          queueName: "orders",
          retentionPeriod: Duration.days(14),
          visibilityTimeout: Duration.seconds(180),
          deadLetterQueue: { queue: deadLetters, maxReceiveCount: 1000 },
        });
        new Queue(stack, "Ordered", { queueName: "ordered.fifo", fifo: true, contentBasedDeduplication: true });
        new Queue(stack, "Nameless");
        new Table(stack, "Table", {
          tableName: "plain",
          partitionKey: { name: "pk", type: AttributeType.STRING },
          billingMode: BillingMode.PAY_PER_REQUEST,
        });
        new TableV2(stack, "Global", {
          tableName: "global",
          partitionKey: { name: "pk", type: AttributeType.STRING },
          sortKey: { name: "sk", type: AttributeType.STRING },
          deletionProtection: true,
        });
      },
    });
    const logicalIds = Object.keys(stacks[0]?.template.Resources ?? {});
    runtime = await startRuntime(stacks);
    expect(await attributesOf("eu-west-1", "orders")).toMatchObject({
      VisibilityTimeout: "180",
      MessageRetentionPeriod: "1209600",
      RedrivePolicy: JSON.stringify({ deadLetterTargetArn: "arn:aws:sqs:eu-west-1:000000000000:dead", maxReceiveCount: 1000 }),
    });
    expect(await attributesOf("eu-west-1", "ordered.fifo")).toMatchObject({ FifoQueue: "true", ContentBasedDeduplication: "true" });
    expect(await urlOf("eu-west-1", `toy-eu-west-1-${logicalIds.find((id) => id.startsWith("Nameless"))}`)).toBeDefined();
    const { dynamodb } = runtime.clientsFor("eu-west-1");
    const keysOf = async (TableName: string) => (await dynamodb.send(new DescribeTableCommand({ TableName }))).Table?.KeySchema;
    expect(await keysOf("plain")).toEqual([{ AttributeName: "pk", KeyType: "HASH" }]);
    expect(await keysOf("global")).toEqual([
      { AttributeName: "pk", KeyType: "HASH" },
      { AttributeName: "sk", KeyType: "RANGE" },
    ]);
  });

  test("a topic of one region feeds a queue of another, and that queue's function in its own region", async () => {
    const seen: [string, SQSEvent][] = [];
    const stacks = synthesised({
      "us-east-1": (stack) => {
        const topic = new Topic(stack, "Prices", { topicName: "prices" });
        topic.addSubscription(new SqsSubscription(Queue.fromQueueArn(stack, "Remote", "arn:aws:sqs:eu-west-1:000000000000:inbound")));
      },
      "eu-west-1": (stack) => {
        const inbound = new Queue(stack, "Inbound", { queueName: "inbound" });
        const target = aFunction(stack, "dispatch");
        new EventSourceMapping(stack, "Batches", { target, eventSourceArn: inbound.queueArn, reportBatchItemFailures: true });
      },
    });
    const load = entriesFrom({ dispatch: (event: SQSEvent, environment) => void seen.push([environment.AWS_REGION ?? "", event]) });
    runtime = await startRuntime(stacks, { load });
    const { MessageId } = await runtime
      .clientsFor("us-east-1")
      .sns.send(new PublishCommand({ TopicArn: "arn:aws:sns:us-east-1:000000000000:prices", Message: "42" }));
    await eventually(() => seen).toHaveLength(1);
    const [region, event] = seen[0] ?? [];
    expect(region).toBe("eu-west-1");
    expect(JSON.parse(event?.Records[0]?.body ?? "")).toMatchObject({ Type: "Notification", MessageId, Message: "42" });
    expect(runtime.failures()).toEqual([]);
  });

  test("a function gets the template's environment and the embedded addresses, explicitly", async () => {
    const stacks = synthesised({
      "eu-west-1": (stack) => {
        const provider = new Provider(stack, "Provider", { onEventHandler: aFunction(stack, "deployment") });
        new CustomResource(stack, "Configuration", { serviceToken: provider.serviceToken });
      },
    });
    const environment: Record<string, string> = {};
    runtime = await startRuntime(stacks, {
      load: entriesFrom({ deployment: (_: never, given) => Object.assign(environment, given) && null }),
    });
    expect(environment).toMatchObject({
      REGION_OF_STACK: "eu-west-1",
      AWS_REGION: "eu-west-1",
      AWS_ENDPOINT_URL_SQS: runtime.endpoints.sqs,
      AWS_ENDPOINT_URL_SSM: runtime.endpoints.ssm,
      AWS_LAMBDA_FUNCTION_NAME: "deployment",
    });
    expect(process.env.AWS_ENDPOINT_URL_SQS).toBeUndefined();
  });

  test("a custom resource's function is called with Create and its properties as texts, after all it depends on", async () => {
    const events: unknown[] = [];
    const stacks = synthesised({
      "eu-west-1": (stack) => {
        const provider = new Provider(stack, "Provider", { onEventHandler: aFunction(stack, "deployment") });
        const properties = { slice: JSON.stringify({ a: 1 }), grace: 15, on: true, list: [1, { two: 2 }] };
        const custom = new CustomResource(stack, "Custom", {
          serviceToken: provider.serviceToken,
          resourceType: "Custom::Configuration",
          properties,
        });
        custom.node.addDependency(new Queue(stack, "Needed", { queueName: "needed" }));
        new Queue(stack, "Named", { queueName: custom.getAttString("Name") });
      },
    });
    const load = entriesFrom({
      async deployment(event: never, environment) {
        const sqs = new SQSClient({
          region: "eu-west-1",
          endpoint: environment.AWS_ENDPOINT_URL_SQS ?? "",
          credentials: { accessKeyId: "a", secretAccessKey: "b" },
        });
        await sqs.send(new GetQueueUrlCommand({ QueueName: "needed" }));
        events.push(event);
        return { PhysicalResourceId: "configuration", Data: { Name: "named-by-it" } };
      },
    });
    runtime = await startRuntime(stacks, { load });
    expect(events).toMatchObject([
      {
        RequestType: "Create",
        ResourceType: "Custom::Configuration",
        ResourceProperties: {
          slice: '{"a":1}',
          grace: "15",
          on: "true",
          list: ["1", { two: "2" }],
          ServiceToken: expect.stringContaining("arn:aws:lambda"),
        },
      },
    ]);
    expect(await urlOf("eu-west-1", "named-by-it")).toBeDefined();
  });

  test("a custom resource whose function throws fails the start, in its own words", async () => {
    const stacks = synthesised({
      "eu-west-1": (stack) => {
        const provider = new Provider(stack, "Provider", { onEventHandler: aFunction(stack, "deployment") });
        new CustomResource(stack, "Configuration", { serviceToken: provider.serviceToken });
      },
    });
    const load = entriesFrom({
      deployment: () => {
        throw new Error("no key could be made");
      },
    });
    await expect(startRuntime(stacks, { load })).rejects.toThrow(
      "stack toy-eu-west-1, resource Configuration: AWS::CloudFormation::CustomResource couldn't be made: no key could be made",
    );
  });

  const ticking = () =>
    synthesised({
      "eu-west-1": (stack) => {
        const target = new LambdaInvoke(aFunction(stack, "control"), { input: ScheduleTargetInput.fromObject({ tick: true }) });
        new Schedule(stack, "Tick", { schedule: ScheduleExpression.rate(Duration.minutes(1)), target });
      },
    });

  test("a schedule's function runs when asked, and the answer waits for it", async () => {
    const ticks: unknown[] = [];
    runtime = await startRuntime(ticking(), { tick: false, load: entriesFrom({ control: (event: never) => void ticks.push(event) }) });
    await runtime.tickNow("toy-eu-west-1");
    expect(ticks).toEqual([{ tick: true }]);
    await expect(runtime.tickNow("toy")).rejects.toThrow("no stack toy: there are toy-eu-west-1");
  });

  test("what a handler throws stands among the failures", async () => {
    const load = entriesFrom({
      control: () => {
        throw new Error("no tick today");
      },
    });
    runtime = await startRuntime(ticking(), { tick: false, load });
    await expect(runtime.tickNow("toy-eu-west-1")).rejects.toThrow("no tick today");
    expect(runtime.failures()).toMatchObject([{ function: "control", error: { message: "no tick today" } }]);
  });

  test("a switched-off event source takes nothing", async () => {
    const stacks = synthesised({
      "eu-west-1": (stack) => {
        const target = aFunction(stack, "dispatch");
        const off = new Queue(stack, "Off", { queueName: "off" });
        const on = new Queue(stack, "On", { queueName: "on" });
        new EventSourceMapping(stack, "OffBatches", { target, eventSourceArn: off.queueArn, enabled: false });
        new EventSourceMapping(stack, "OnBatches", { target, eventSourceArn: on.queueArn });
      },
    });
    const seen: string[] = [];
    const load = entriesFrom({ dispatch: ({ Records }: SQSEvent) => void seen.push(...Records.map(({ body }) => body)) });
    runtime = await startRuntime(stacks, { load });
    for (const name of ["off", "on"]) {
      const { sqs } = runtime.clientsFor("eu-west-1");
      await sqs.send(new SendMessageCommand({ QueueUrl: await urlOf("eu-west-1", name), MessageBody: name }));
    }
    await eventually(() => seen).toEqual(["on"]);
    expect(await attributesOf("eu-west-1", "off")).toMatchObject({ ApproximateNumberOfMessages: "1" });
  });

  test("stop leaves no socket and no server", async () => {
    const open = () => process.getActiveResourcesInfo().filter((kind) => kind.startsWith("TCP"));
    const stacks = synthesised({
      "eu-west-1": (stack) => {
        const queue = new Queue(stack, "Queue", { queueName: "queue" });
        const target = aFunction(stack, "control");
        new EventSourceMapping(stack, "Batches", { target, eventSourceArn: queue.queueArn });
        new Schedule(stack, "Tick", { schedule: ScheduleExpression.rate(Duration.minutes(1)), target: new LambdaInvoke(target) });
      },
    });
    await eventually(open).toEqual([]);
    runtime = await startRuntime(stacks, { load: entriesFrom({}) });
    expect(open()).not.toEqual([]);
    await runtime.stop();
    await eventually(open).toEqual([]);
  });

  test("a stack that can't be brought up leaves nothing running either", async () => {
    const open = () => process.getActiveResourcesInfo().filter((kind) => kind.startsWith("TCP"));
    const stacks = synthesised({ "eu-west-1": (stack) => void new CfnResource(stack, "Bucket", { type: "AWS::S3::Bucket" }) });
    await eventually(open).toEqual([]);
    await expect(startRuntime(stacks)).rejects.toThrow("AWS::S3::Bucket is unknown to the embedded runtime");
    await eventually(open).toEqual([]);
  });
});
