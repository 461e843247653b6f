import { App, CfnParameter, Duration, type Environment, Stack } from "aws-cdk-lib";
import { Topic } from "aws-cdk-lib/aws-sns";
import { Queue } from "aws-cdk-lib/aws-sqs";
import { AwsSolutionsChecks } from "cdk-nag";
import { describe, expect, test } from "vitest";
import type { NetworkInput } from "../../core/config/define-network.ts";
import { buildNetwork } from "../../infra/build-network.ts";
import { JmsBridge, type JmsBridgeProps } from "../../infra/index.ts";
import { networkFrom } from "../../infra/read-network.ts";
import { scratchFolder } from "../support/scratch-folder.ts";
import { deployed } from "../support/template/deployed.ts";
import { anApp, euAccount, stackOf, usAccount } from "../support/template/networks.ts";
import { judgeRequest } from "../support/template/policy.ts";

const bridged: NetworkInput = {
  network: "net",
  brokers: { us: { region: "us-east-1", account: usAccount }, eu: { region: "eu-west-1", account: euAccount } },
  jmsBridges: [
    {
      name: "orders",
      source: { broker: "us", destination: "orders" },
      target: { broker: "eu", destination: "audit" },
      qualityOfServiceMode: "ONCE_AND_ONLY_ONCE",
      maxBatchSize: 100,
      maxBatchTime: 1_500,
    },
    {
      name: "prices",
      source: { broker: "us", destination: "topic://prices" },
      target: { broker: "eu", destination: "topic://prices" },
      qualityOfServiceMode: "AT_MOST_ONCE",
      clientID: "bridge-1",
      subscriptionName: "prices",
    },
  ],
};
const us = deployed(stackOf(bridged, "us"));
const eu = deployed(stackOf(bridged, "eu"));

const role = "spanmq-net-us-bridge-orders";
const caller = { role: `arn:aws:iam::${usAccount}:role/${role}` };
const at = (service: string, name: string, rest = "") => `arn:aws:${service}:us-east-1:${usAccount}:${rest}spanmq-net-us-${name}`;
const there = (service: string, name: string) => `arn:aws:${service}:eu-west-1:${euAccount}:spanmq-net-eu-${name}`;
const undelivered = at("sqs", "sys-bridge-orders-undelivered");

describe("the role of a bridge's function", () => {
  const mappings = `arn:aws:lambda:us-east-1:${usAccount}:event-source-mapping:6f1c`;
  const mappingOf = (name: string) => ({ "lambda:FunctionArn": `arn:aws:lambda:us-east-1:${usAccount}:function:${name}` });
  test.for([
    { rule: "takes from its source", action: "sqs:ReceiveMessage", resource: at("sqs", "q-orders"), may: true },
    { rule: "deletes at its source, for AT_MOST_ONCE", action: "sqs:DeleteMessage", resource: at("sqs", "q-orders"), may: true },
    { rule: "hands over at the target's ingress", action: "sqs:SendMessage", resource: there("sqs", "sys-ingress"), may: true },
    { rule: "looks whether the target is there", action: "sqs:GetQueueAttributes", resource: there("sqs", "sys-ingress"), may: true },
    { rule: "parks", action: "sqs:SendMessage", resource: undelivered, may: true },
    { rule: "takes what is parked", action: "sqs:ReceiveMessage", resource: undelivered, may: true },
    { rule: "orders a look", action: "sqs:SendMessage", resource: at("sqs", "sys-bridge-orders-orders"), may: true },
    { rule: "dead-letters", action: "sqs:SendMessage", resource: at("sqs", "sys-dead-letters"), may: true },
    { rule: "claims", action: "dynamodb:PutItem", resource: at("dynamodb", "sys-audit", "table/"), may: true },
    { rule: "reads its broker's keys", action: "dynamodb:GetItem", resource: at("dynamodb", "sys-brain", "table/"), may: true },
    { rule: "writes nothing in the brain", action: "dynamodb:PutItem", resource: at("dynamodb", "sys-brain", "table/"), may: false },
    { rule: "takes from no other queue", action: "sqs:ReceiveMessage", resource: at("sqs", "q-others"), may: false },
    { rule: "sends to no queue of the peer itself", action: "sqs:SendMessage", resource: there("sqs", "q-audit"), may: false },
    {
      rule: "switches its own event source",
      action: "lambda:UpdateEventSourceMapping",
      resource: mappings,
      context: mappingOf(role),
      may: true,
    },
    {
      rule: "switches no other event source",
      action: "lambda:UpdateEventSourceMapping",
      resource: mappings,
      context: mappingOf("spanmq-net-us-dispatch"),
      may: false,
    },
  ])("$rule: $may", ({ action, resource, context = {}, may }) => {
    const judged = judgeRequest({ caller, action, resource, owner: usAccount, context }, us.identityPolicy(role), []);
    expect(judged === "allowed").toBe(may);
  });

  test("may send to a target in another account, and nobody else of that account", () => {
    const ingress = there("sqs", "sys-ingress");
    const request = { action: "sqs:SendMessage", resource: ingress, owner: euAccount, context: { "aws:SecureTransport": "true" } };
    const policy = eu.resourcePolicy(ingress);
    expect(judgeRequest({ caller, ...request }, us.identityPolicy(role), policy)).toBe("allowed");
    const other = { role: `arn:aws:iam::${usAccount}:role/other` };
    expect(judgeRequest({ caller: other, ...request }, us.identityPolicy(role), policy)).not.toBe("allowed");
  });
});

describe("a bridge of the configuration", () => {
  const mappingOf = (queue: string) =>
    us.ofType("AWS::Lambda::EventSourceMapping").find(({ properties }) => JSON.stringify(properties.EventSourceArn).includes(queue))
      ?.properties;

  test("takes batches as large as it says, with partial failures", () => {
    expect(us.named("AWS::SQS::Queue", "QueueName", "spanmq-net-us-q-orders").properties).toMatchObject({ VisibilityTimeout: 360 });
    const batches = us.ofType("AWS::Lambda::EventSourceMapping").filter(({ properties }) => properties.BatchSize === 100);
    expect(batches.map(({ properties }) => properties)).toMatchObject([
      { MaximumBatchingWindowInSeconds: 2, FunctionResponseTypes: ["ReportBatchItemFailures"] },
    ]);
  });

  test("of a topic has a subscription that its clientID and subscriptionName name", () => {
    expect(us.named("AWS::SQS::Queue", "QueueName", "spanmq-net-us-s-bridge_-1-prices").properties.MessageRetentionPeriod).toBe(1_209_600);
    expect(us.ofType("AWS::SNS::Subscription")).toHaveLength(1);
    expect(mappingOf("bridge_-1")).toBeDefined();
  });

  test("parks where nothing is dead-lettered, and orders are never given up", () => {
    for (const queue of ["sys-bridge-orders-undelivered", "sys-bridge-orders-orders"]) {
      const { properties } = us.named("AWS::SQS::Queue", "QueueName", `spanmq-net-us-${queue}`);
      expect([properties.RedrivePolicy, properties.MessageRetentionPeriod]).toEqual([undefined, 1_209_600]);
    }
  });

  test("starts when the broker's key is made, and the rest of it stands before", () => {
    const { logicalId: deployment } = us.ofType("Custom::SpanMQBroker")[0] ?? {};
    const sources = us.ofType("AWS::Lambda::EventSourceMapping").filter(({ dependsOn }) => dependsOn.includes(deployment ?? ""));
    expect(sources).toHaveLength(2);
  });

  test("gives cdk-nag nothing to object to", () => {
    const app = anApp();
    buildNetwork(app, networkFrom(bridged));
    expect(findingsOf(app)).toEqual([]);
  });
});

const findingsOf = (scope: Stack["node"]["root"]) =>
  new AwsSolutionsChecks(scope)
    .validateScope(scope)
    .violations.flatMap(({ ruleName, violatingResources }) => violatingResources.map(({ constructPath }) => `${ruleName} ${constructPath}`))
    .filter((finding) => !finding.includes("/Bare"));

describe("in somebody else's app", () => {
  const anAppWith = (build: (stack: Stack) => JmsBridge) => {
    const app = anApp();
    const stack = new Stack(app, "Shop", { env: { region: "us-east-1", account: usAccount } });
    build(stack);
    return { app, shop: deployed(stack) };
  };
  const archive = "arn:aws:sqs:eu-west-1:222222222222:archive";

  test("a bridge needs under ten lines, and has a table, queues and a function of its own", () => {
    const { app, shop } = anAppWith(
      (stack) =>
        new JmsBridge(stack, "Archive", {
          name: "archive",
          source: new Queue(stack, "BareOrders"),
          target: Queue.fromQueueArn(stack, "There", archive),
          qualityOfServiceMode: "ONCE_AND_ONLY_ONCE",
        }),
    );
    expect(["AWS::DynamoDB::Table", "AWS::SQS::Queue", "AWS::Lambda::Function"].map((type) => shop.ofType(type).length)).toEqual([1, 4, 1]);
    const [{ properties } = { properties: {} }] = shop.ofType("AWS::Lambda::Function");
    expect(JSON.stringify(properties.Environment)).toContain(archive);
    expect(findingsOf(app)).toEqual([]);
  });

  test.for<{ rule: string; env: Environment }>([
    { rule: "whose stack has a region and an account", env: { region: "us-east-1", account: usAccount } },
    { rule: "whose stack has none", env: {} },
  ])("a bridge is synthesised in an app without our feature flags $rule", ({ env }) => {
    const app = new App({ outdir: scratchFolder(), context: { "aws:cdk:bundling-stacks": [] } });
    const stack = new Stack(app, "Shop", { env });
    new JmsBridge(stack, "Archive", {
      name: "archive",
      source: new Queue(stack, "BareOrders"),
      target: Queue.fromQueueArn(stack, "There", archive),
      qualityOfServiceMode: "ONCE_AND_ONLY_ONCE",
    });
    expect(app.synth().stacks).toHaveLength(1);
    expect(findingsOf(app)).toEqual([]);
  });

  const stack = new Stack(anApp(), "Refused", { env: { region: "us-east-1", account: usAccount } });
  const ordered = Queue.fromQueueArn(stack, "Ordered", `${archive}.fifo`);
  const plain = Queue.fromQueueArn(stack, "Plain", archive);
  const orders = new Queue(stack, "Orders");
  test.for<{ rule: string; props: { readonly [K in keyof JmsBridgeProps]?: unknown }; says: RegExp }>([
    { rule: "a FIFO source", props: { source: ordered }, says: /its source is FIFO: JMS bridges don't take FIFO yet/ },
    { rule: "a FIFO target", props: { target: ordered }, says: /its target is FIFO: JMS bridges don't take FIFO yet/ },
    { rule: "a name that its claims can't have", props: { name: "a|b" }, says: /name "a\|b": must be a name of letters/ },
    { rule: "retries without a pause", props: { failureRetryInterval: 0 }, says: /failureRetryInterval 0: must be milliseconds from 1/ },
    {
      rule: "a batch that Lambda won't gather",
      props: { maxBatchSize: 11 },
      says: /maxBatchSize 11: Lambda gathers more than 10 .*batchWindow/,
    },
    { rule: "itself as its target", props: { target: orders }, says: /its target is its source: messages would go round for ever/ },
    { rule: "a source elsewhere", props: { source: plain }, says: /its source is in eu-west-1: make the bridge in a stack of that region/ },
    {
      rule: "a source that hides a message too briefly",
      props: { timeoutSeconds: 31 },
      says: /its source hides a message for 30 s: give it a visibilityTimeout of timeoutSeconds \(31\) or more/,
    },
    { rule: "an unknown quality", props: { qualityOfServiceMode: "ONCE" }, says: /qualityOfServiceMode "ONCE": must be one of AT_MOST/ },
    { rule: "no quality", props: { qualityOfServiceMode: undefined }, says: /qualityOfServiceMode is missing: must be one of AT_MOST/ },
    { rule: "a window before now", props: { batchWindow: -1 }, says: /batchWindow -1: must be whole seconds from 0 to 300/ },
    { rule: "no time to run", props: { timeoutSeconds: 0 }, says: /timeoutSeconds 0: must be whole seconds from 1 to 900/ },
  ])("refuses $rule, and says so", ({ rule, props, says }) => {
    const all = { name: "archive", source: orders, target: plain, qualityOfServiceMode: "DUPLICATES_OK", ...props };
    expect(() => new JmsBridge(stack, rule, all as JmsBridgeProps)).toThrow(says);
  });

  test("what only the deployment knows isn't refused", () => {
    const { shop } = anAppWith((stack) => {
      const visibilityTimeout = Duration.seconds(new CfnParameter(stack, "Hidden", { type: "Number" }).valueAsNumber);
      const source = new Queue(stack, "BareOrders", { visibilityTimeout });
      return new JmsBridge(stack, "Archive", { name: "archive", source, target: plain, qualityOfServiceMode: "DUPLICATES_OK" });
    });
    expect(shop.ofType("AWS::Lambda::EventSourceMapping")).toHaveLength(2);
  });

  test("a topic is read by a subscription of the bridge's own", () => {
    const { shop } = anAppWith(
      (stack) =>
        new JmsBridge(stack, "Archive", {
          name: "archive",
          source: new Topic(stack, "BarePrices"),
          target: new Topic(stack, "BareThere"),
          qualityOfServiceMode: "DUPLICATES_OK",
        }),
    );
    expect(shop.ofType("AWS::SNS::Subscription")).toHaveLength(1);
  });
});
