import { describe, expect, test } from "vitest";
import { memoryQueues } from "../support/memory/queues.ts";
import { numbered } from "../support/numbered.ts";
import { deployed } from "../support/template/deployed.ts";
import { pair, stackOf } from "../support/template/networks.ts";

const us = deployed(stackOf(pair, "us"));
const eu = deployed(stackOf(pair, "eu"));
const both = [...us.resources, ...eu.resources];
const ofType = (type: string) => both.filter((resource) => resource.type === type);
const functionOf = (name: string) => us.named("AWS::Lambda::Function", "FunctionName", `spanmq-orders-us-${name}`);

describe("what the template promises of every broker", () => {
  test("C08: every event source mapping reports which records of a batch failed", () => {
    const mappings = ofType("AWS::Lambda::EventSourceMapping");
    expect(mappings).toHaveLength(2 + 2 + 2 + 2); // control, ingress, feed and one inbound each
    for (const { properties } of mappings) {
      expect(properties).toMatchObject({ BatchSize: 10, FunctionResponseTypes: ["ReportBatchItemFailures"] });
    }
  });

  test("C14: a queue that feeds a function hides a message for at least six times the function's timeout", () => {
    for (const broker of [us, eu]) {
      for (const { properties } of broker.ofType("AWS::Lambda::EventSourceMapping")) {
        const consumer = broker.named("AWS::Lambda::Function", "FunctionName", properties.FunctionName);
        const queue = broker.named("AWS::SQS::Queue", "QueueName", properties.EventSourceArn.split(":").at(-1));
        expect(queue.properties.VisibilityTimeout).toBeGreaterThanOrEqual(6 * consumer.properties.Timeout);
      }
    }
  });

  test("a queue that feeds a function gives a message up after a thousand receives, no other queue ever does", () => {
    const fed = ofType("AWS::Lambda::EventSourceMapping").map(({ properties }) => properties.EventSourceArn.split(":").at(-1));
    for (const { properties } of ofType("AWS::SQS::Queue")) {
      expect(properties.RedrivePolicy?.maxReceiveCount, properties.QueueName).toBe(fed.includes(properties.QueueName) ? 1000 : undefined);
      if (properties.RedrivePolicy) expect(properties.RedrivePolicy.deadLetterTargetArn).toMatch(/-sys-dead-letters$/);
    }
  });

  test("C14: of a burst of 5,000 at two functions, with nine polls in ten throttled, no message comes near its last receive", () => {
    const { VisibilityTimeout, RedrivePolicy } = us.named("AWS::SQS::Queue", "QueueName", "spanmq-orders-us-sys-ingress").properties;
    let [now, most, left] = [0, 0, 5_000];
    const queues = memoryQueues(() => now, numbered("m"));
    queues.create("ingress");
    for (let n = 0; n < left; n += 1) queues.send("ingress", { body: "m", attributes: {} });
    while (left > 0) {
      const polls = Array.from({ length: 20 }, () => queues.receive("ingress", 10, 1_000 * VisibilityTimeout) ?? []);
      most = Math.max(most, ...polls.flat().map(({ receiveCount }) => receiveCount));
      const handled = polls.slice(0, 2).flat();
      for (const { receipt } of handled) queues.remove("ingress", receipt);
      left -= handled.length;
      now += handled.length > 0 ? 1_000 : 1_000 * VisibilityTimeout;
    }
    expect(most).toBeLessThan(RedrivePolicy.maxReceiveCount / 10);
  });

  test("every queue holds its messages for 14 days", () => {
    expect(ofType("AWS::SQS::Queue")).toHaveLength(6 + 1 + 6 + 1);
    for (const { properties } of ofType("AWS::SQS::Queue")) expect(properties.MessageRetentionPeriod).toBe(14 * 86_400);
  });

  test("C10: every queue is encrypted, and with no key that SNS or another account couldn't use", () => {
    for (const { properties } of ofType("AWS::SQS::Queue")) {
      expect(properties.SqsManagedSseEnabled, properties.QueueName).toBe(true);
      expect(properties.KmsMasterKeyId).toBeUndefined();
    }
    for (const { properties } of ofType("AWS::SNS::Topic")) expect(properties.KmsMasterKeyId).toBeUndefined();
  });

  test("nothing is sent to a queue or topic over a plain connection", () => {
    const secured = [
      ...ofType("AWS::SQS::QueuePolicy").map(({ properties }) => [properties.Queues, properties.PolicyDocument.Statement] as const),
    ];
    expect(secured).toHaveLength(ofType("AWS::SQS::Queue").length);
    for (const policy of [...ofType("AWS::SQS::QueuePolicy"), ...ofType("AWS::SNS::TopicPolicy")]) {
      const plain = { Effect: "Deny", Condition: { Bool: { "aws:SecureTransport": "false" } } };
      expect(policy.properties.PolicyDocument.Statement).toContainEqual(expect.objectContaining(plain));
    }
    expect(ofType("AWS::SNS::TopicPolicy")).toHaveLength(ofType("AWS::SNS::Topic").length);
  });

  const table = (name: string) => us.named("AWS::DynamoDB::Table", "TableName", `spanmq-orders-us-sys-${name}`);

  test("the brain can be set back to any second, and never forgets by itself", () => {
    const { properties } = table("brain");
    expect(properties).toMatchObject({
      PointInTimeRecoverySpecification: { PointInTimeRecoveryEnabled: true },
      KeySchema: [
        { AttributeName: "pk", KeyType: "HASH" },
        { AttributeName: "sk", KeyType: "RANGE" },
      ],
    });
    expect(properties.TimeToLiveSpecification).toBeUndefined();
  });

  test("the audit forgets claims whose time is over; set back it would say that what was carried wasn't", () => {
    const { properties } = table("audit");
    expect(properties).toMatchObject({
      TimeToLiveSpecification: { AttributeName: "expires", Enabled: true },
      KeySchema: [{ AttributeName: "claim", KeyType: "HASH" }],
    });
    expect(properties.PointInTimeRecoverySpecification).toBeUndefined();
  });

  test("C17: each table is one region's own: no claim relies on what another region wrote", () => {
    expect(both.filter(({ type }) => type === "AWS::DynamoDB::GlobalTable")).toEqual([]);
    expect(table("audit").properties.ResourcePolicy).toBeUndefined();
  });

  test.for(["brain", "audit"])(
    "the %s is paid by use, protected from deletion, and goes with a stack whose protection was taken off",
    (name) => {
      const { properties, deletionPolicy } = table(name);
      expect(properties).toMatchObject({ DeletionProtectionEnabled: true, BillingMode: "PAY_PER_REQUEST" });
      expect(deletionPolicy).toBe("Delete");
    },
  );

  test("a message whose header grew still fits: producers are held to 8 KiB less than SQS and SNS take", () => {
    const limit = (name: string) => us.named("AWS::SQS::Queue", "QueueName", `spanmq-orders-us-${name}`).properties.MaximumMessageSize;
    expect(limit("sys-ingress")).toBe(1_048_576 - 8192);
    expect(limit("in-eu-us_-eu")).toBe(1_048_576);
    expect(limit("q-orders-new")).toBe(1_048_576);
    expect(us.named("AWS::SNS::Topic", "TopicName", "spanmq-orders-us-t-prices").properties.MaximumMessageSize).toBe(262_144 - 8192);
  });

  test.for([
    ["dispatch", 60],
    ["control", 60],
    ["deployment", 840], // it waits until SQS's figures can be believed
  ] as const)(
    "%s runs on Node 24 for %i seconds at most, may be looped through, and names its entry for the embedded runtime",
    ([name, Timeout]) => {
      const { properties, metadata } = functionOf(name);
      expect(properties).toMatchObject({ Runtime: "nodejs24.x", Architectures: ["arm64"], RecursiveLoop: "Allow", Timeout });
      expect(properties.MemorySize).toBeGreaterThan(0);
      expect(metadata["spanmq:entry"]).toBe(`functions/${name}.entry.ts`);
    },
  );

  test("a function's environment names its broker, the places of all brokers and its own time limit", () => {
    const { SPANMQ_PLACES, ...variables } = functionOf("control").properties.Environment.Variables;
    expect(variables).toMatchObject({
      SPANMQ_NETWORK: "orders",
      SPANMQ_BROKER: "us",
      SPANMQ_TIMEOUT_SECONDS: "60",
      POWERTOOLS_SERVICE_NAME: "spanmq-control",
    });
    expect(JSON.parse(SPANMQ_PLACES)).toEqual([
      { id: "eu", region: "eu-west-1", account: "222222222222" },
      { id: "us", region: "us-east-1", account: "111111111111" },
    ]);
  });

  test("every function's log ends after a month", () => {
    for (const { properties } of ofType("AWS::Lambda::Function")) expect(properties.LoggingConfig.LogGroup).toBeDefined();
    for (const { properties } of ofType("AWS::Logs::LogGroup")) expect(properties.RetentionInDays).toBe(30);
  });

  test("control wakes each minute, and a tick that fails is not repeated by anybody", () => {
    const [tick] = us.ofType("AWS::Scheduler::Schedule");
    expect(tick?.properties).toMatchObject({
      ScheduleExpression: "rate(1 minute)",
      FlexibleTimeWindow: { Mode: "OFF" },
      Target: { Input: '{"tick":true}', RetryPolicy: { MaximumRetryAttempts: 0 } },
    });
    expect(tick?.properties.Target.Arn).toMatch(/:function:spanmq-orders-us-control$/);
    const invoked = us.named("AWS::Lambda::EventInvokeConfig", "FunctionName", "spanmq-orders-us-control");
    expect(invoked.properties.MaximumRetryAttempts).toBe(0);
  });
});
