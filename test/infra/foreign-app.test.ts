import { Duration, Stack } from "aws-cdk-lib";
import { Template } from "aws-cdk-lib/assertions";
import { Code, Function as LambdaFunction, Runtime } from "aws-cdk-lib/aws-lambda";
import { Queue } from "aws-cdk-lib/aws-sqs";
import { describe, expect, test } from "vitest";
import { AuditTable, BrokerStack, readNetwork } from "../../infra/index.ts";
import { type Deployed, deployed } from "../support/template/deployed.ts";
import { anApp, usAccount } from "../support/template/networks.ts";
import { judgeRequest } from "../support/template/policy.ts";

const aFunction = (stack: Stack, timeout = 10) =>
  new LambdaFunction(stack, "Fn", {
    functionName: "shop",
    runtime: Runtime.NODEJS_24_X,
    handler: "index.handler",
    code: Code.fromInline("exports.handler = async () => {}"),
    timeout: Duration.seconds(timeout),
  });

/** What somebody else's app is: a few lines around `wire`. */
const anAppWith = (wire: (us: BrokerStack, shop: LambdaFunction) => void) => {
  const app = anApp();
  const env = { region: "us-east-1", account: usAccount };
  const network = readNetwork({
    network: "net",
    brokers: { us: { ...env }, eu: { region: "eu-west-1", account: usAccount } },
    links: ["us <-> eu"],
  });
  const us = new BrokerStack(app, "Us", { network, broker: "us" });
  const stack = new Stack(app, "Shop", { env });
  wire(us, aFunction(stack));
  return { broker: deployed(us), shop: deployed(stack), shopStack: stack, brokerStack: us };
};

const arn = (service: string, name: string) => `arn:aws:${service}:us-east-1:${usAccount}:spanmq-net-us-${name}`;
const may = (shop: Deployed, action: string, resource: string, context = {}) => {
  const [role] = shop.ofType("AWS::IAM::Role");
  const caller = { role: `arn:aws:iam::${usAccount}:role/${role?.logicalId}` };
  return (
    judgeRequest({ caller, action, resource, owner: usAccount, context }, shop.identityPolicy(role?.logicalId ?? ""), []) === "allowed"
  );
};
const sliceOf = (broker: Deployed) => JSON.parse(broker.ofType("Custom::SpanMQBroker")[0]?.properties.slice);

describe("in another app", () => {
  test("grants and consumers need under ten lines, and no stack exports anything to the other", () => {
    const { brokerStack, shopStack } = anAppWith((us, shop) => {
      us.queue("orders.new").grantSend(shop);
      us.topic("prices").grantSend(shop);
      us.queue("orders.done").addConsumer(shop);
      us.topic("news").addConsumer(shop);
    });
    for (const stack of [brokerStack, shopStack]) {
      expect(JSON.stringify(Template.fromStack(stack).toJSON())).not.toMatch(/Fn::ImportValue|"Export"/);
    }
    expect(brokerStack.dependencies).toEqual([]);
    expect(shopStack.dependencies).toEqual([brokerStack]);
  });

  test("a function with a table for `once` may claim there, and nothing else", () => {
    const { shop } = anAppWith((_, shop) => new AuditTable(Stack.of(shop), "Once", { tableName: "once" }).grantClaims(shop));
    const once = `arn:aws:dynamodb:us-east-1:${usAccount}:table/once`;
    const calls = ["PutItem", "UpdateItem", "DeleteItem", "BatchWriteItem", "GetItem", "Query", "Scan", "DeleteTable"];
    expect(calls.filter((call) => may(shop, `dynamodb:${call}`, once))).toEqual(calls.slice(0, 5));
    const { properties, deletionPolicy } = shop.named("AWS::DynamoDB::Table", "TableName", "once");
    expect([properties.TimeToLiveSpecification.AttributeName, properties.DeletionProtectionEnabled, deletionPolicy]).toEqual([
      "expires",
      false,
      "Delete",
    ]);
  });

  test("a queue's producer may send to it and to ingress, announce itself, and nothing else", () => {
    const { shop } = anAppWith((us, fn) => us.queue("orders.new").grantSend(fn));
    expect(may(shop, "sqs:SendMessage", arn("sqs", "q-orders-new"))).toBe(true);
    expect(may(shop, "sqs:SendMessage", arn("sqs", "sys-ingress"))).toBe(true);
    expect(may(shop, "sqs:SendMessage", arn("sqs", "sys-control"))).toBe(true);
    expect(may(shop, "sqs:SendMessage", arn("sqs", "q-orders-other"))).toBe(false);
    expect(may(shop, "sqs:ReceiveMessage", arn("sqs", "q-orders-new"))).toBe(false);
  });

  test("a queue's consumer may take from it and from its private queues, announce itself, and give back what has expired", () => {
    const { shop } = anAppWith((us, fn) => us.queue("orders.new").grantConsume(fn));
    for (const action of ["sqs:ReceiveMessage", "sqs:DeleteMessage", "sqs:ChangeMessageVisibility"]) {
      expect(may(shop, action, arn("sqs", "q-orders-new"))).toBe(true);
      expect(may(shop, action, arn("sqs", "s-c1"))).toBe(true);
    }
    expect(may(shop, "sqs:SendMessage", arn("sqs", "sys-control"))).toBe(true);
    expect(may(shop, "sqs:SendMessage", arn("sqs", "sys-ingress"))).toBe(true);
    expect(may(shop, "sqs:SendMessage", arn("sqs", "q-orders-new"))).toBe(false);
    expect(may(shop, "sqs:ReceiveMessage", arn("sqs", "q-orders-other"))).toBe(false);
  });

  test("whoever uses our client may read what connect and ready need to know, and nothing else of the table", () => {
    const wirings: ((us: BrokerStack, fn: LambdaFunction) => void)[] = [
      (us, fn) => us.queue("orders.new").grantSend(fn),
      (us, fn) => us.queue("orders.new").grantConsume(fn),
      (us, fn) => us.topic("prices").grantSend(fn),
      (us, fn) => us.topic("prices").grantConsume(fn),
    ];
    const brain = `arn:aws:dynamodb:us-east-1:${usAccount}:table/spanmq-net-us-sys-brain`;
    for (const wire of wirings) {
      const { shop } = anAppWith(wire);
      expect(may(shop, "dynamodb:GetItem", brain, { "dynamodb:LeadingKeys": ["broker#"] })).toBe(true);
      expect(may(shop, "dynamodb:Query", brain, { "dynamodb:LeadingKeys": ["subscription#topic://prices"] })).toBe(true);
      expect(may(shop, "dynamodb:GetItem", brain, { "dynamodb:LeadingKeys": ["learnt#us:us-eu#3f"] })).toBe(false);
      expect(may(shop, "dynamodb:PutItem", brain, { "dynamodb:LeadingKeys": ["broker#"] })).toBe(false);
    }
  });

  test("a topic's producer may publish, its consumer may take from the end of its subscription", () => {
    const producer = anAppWith((us, fn) => us.topic("prices").grantSend(fn)).shop;
    expect(may(producer, "sns:Publish", arn("sns", "t-prices"))).toBe(true);
    expect(may(producer, "sns:Publish", arn("sns", "t-other"))).toBe(false);
    const consumer = anAppWith((us, fn) => us.topic("prices").grantConsume(fn)).shop;
    expect(may(consumer, "sqs:ReceiveMessage", arn("sqs", "s-c1"))).toBe(true);
    expect(may(consumer, "sqs:SendMessage", arn("sqs", "sys-control"))).toBe(true);
    expect(may(consumer, "sqs:SendMessage", arn("sqs", "sys-ingress"))).toBe(true);
    expect(may(consumer, "sns:Publish", arn("sns", "t-prices"))).toBe(false);
  });

  test("a function that consumes a queue gets batches with partial failures, time enough, and dead letters", () => {
    const { broker, shop } = anAppWith((us, fn) => us.queue("orders.new").addConsumer(fn, { maxConcurrency: 4 }));
    const [mapping] = shop.ofType("AWS::Lambda::EventSourceMapping");
    expect(mapping?.properties).toMatchObject({
      EventSourceArn: arn("sqs", "q-orders-new"),
      FunctionName: "shop",
      FunctionResponseTypes: ["ReportBatchItemFailures"],
      ScalingConfig: { MaximumConcurrency: 4 },
    });
    expect(may(shop, "sqs:ReceiveMessage", arn("sqs", "q-orders-new"))).toBe(true);
    const queue = broker.named("AWS::SQS::Queue", "QueueName", "spanmq-net-us-q-orders-new");
    expect(queue.properties.VisibilityTimeout).toBe(60);
    expect(queue.properties.RedrivePolicy).toEqual({ deadLetterTargetArn: arn("sqs", "sys-dead-letters"), maxReceiveCount: 1000 });
  });

  test("a function that consumes is declared, so that peers send what it wants", () => {
    const { broker } = anAppWith((us, fn) => {
      us.queue("orders.new").addConsumer(fn, { count: 3, priority: 2 });
      us.topic("prices").addConsumer(fn);
    });
    expect(sliceOf(broker)).toMatchObject({
      queues: ["orders.new"],
      topics: ["prices"],
      consumers: [
        { destination: "queue://orders.new", count: 3, priority: 2 },
        { destination: "topic://prices", count: 1, priority: 0 },
      ],
    });
  });

  test("a queue nobody polls by function hides a message for 30 seconds and gives none up, unless told otherwise", () => {
    const { broker } = anAppWith((us) => {
      us.queue("orders.new");
      const letters = new Queue(us, "Letters", { queueName: "letters" });
      us.queue("orders.done", { visibilityTimeout: Duration.minutes(5), deadLetterQueue: { queue: letters, maxReceiveCount: 3 } });
    });
    const queue = (name: string) => broker.named("AWS::SQS::Queue", "QueueName", `spanmq-net-us-q-${name}`).properties;
    expect(queue("orders-new")).toMatchObject({ VisibilityTimeout: 30 });
    expect(queue("orders-new").RedrivePolicy).toBeUndefined();
    expect(queue("orders-done")).toMatchObject({ VisibilityTimeout: 300, RedrivePolicy: { maxReceiveCount: 3 } });
  });

  test("options for a queue that is declared already are refused, not forgotten", () => {
    expect(() =>
      anAppWith((us) => {
        us.queue("orders.new");
        us.queue("orders.new", { visibilityTimeout: Duration.minutes(5) });
      }),
    ).toThrow(/queue orders\.new is declared already/);
  });

  test("names that CDK's construct ids would confuse are two queues", () => {
    const { broker } = anAppWith((us) => {
      us.queue("a/b");
      us.queue("a--b");
    });
    expect(broker.ofType("AWS::SQS::Queue").filter(({ properties }) => /-q-/.test(properties.QueueName))).toHaveLength(2);
  });
});
