import { Duration, Stack } from "aws-cdk-lib";
import { Code, Function as LambdaFunction, Runtime } from "aws-cdk-lib/aws-lambda";
import { Queue } from "aws-cdk-lib/aws-sqs";
import { describe, expect, test } from "vitest";
import { longestRun } from "../../core/broker/control/subscriptions.ts";
import { stackQueues } from "../../core/broker/sweep/stack-queues.ts";
import type { NetworkInput } from "../../core/config/define-network.ts";
import { addressesOf } from "../../core/destination/addresses.ts";
import { isFifoName } from "../../core/destination/fifo.ts";
import type { BrokerStack } from "../../infra/broker-stack.ts";
import { sha256 } from "../support/hash.ts";
import { deployed } from "../support/template/deployed.ts";
import { euAccount, pair, stackOf, usAccount } from "../support/template/networks.ts";
import { type Caller, judgeRequest, type Statement } from "../support/template/policy.ts";

/** What `us` and `eu` declare, joined by a duplex connector. */
const declaring = (us: object, eu: object = {}, connector: object = {}): NetworkInput => ({
  network: "net",
  brokers: {
    us: {
      ...{ region: "us-east-1", account: usAccount, ...us },
      networkConnectors: [{ name: "us-eu", to: "eu", duplex: true, ...connector }],
    },
    eu: { region: "eu-west-1", account: euAccount, ...eu },
  },
});
const ordered = declaring({ queues: ["orders.fifo"], topics: ["prices.fifo"] }, { queues: ["orders.fifo"] });

const queuesOf = (stack: ReturnType<typeof deployed>) => stack.ofType("AWS::SQS::Queue").map(({ properties }) => properties);
const fifoNames = (stack: ReturnType<typeof deployed>) =>
  queuesOf(stack)
    .map(({ QueueName }) => QueueName.replace(/^spanmq-net-..-/, ""))
    .filter(isFifoName)
    .toSorted();
const us = deployed(stackOf(ordered, "us"));
const eu = deployed(stackOf(ordered, "eu"));
const both = [us, eu];

describe("a broker has, for order", () => {
  const [ingress, deadLetters, feed] = ["sys-ingress.fifo", "sys-dead-letters.fifo", "sys-feed.fifo"];
  const [inbound, undelivered] = ["in-eu-us_-eu.fifo", "sys-undelivered-us_-eu.fifo"];

  test.for([
    { rule: "nothing without a FIFO destination", network: declaring({ queues: ["orders"], topics: ["prices"] }), has: [] },
    {
      rule: "a door and its dead letters, and the link's second way, where a FIFO queue is declared and may cross",
      network: declaring({ queues: ["orders.fifo"] }),
      has: [inbound, "q-orders.fifo", deadLetters, ingress, undelivered],
    },
    {
      rule: "the same without the destination where only the peer declares it",
      network: declaring({}, { queues: ["orders.fifo"] }),
      has: [inbound, deadLetters, ingress, undelivered],
    },
    {
      rule: "a feed besides where a FIFO topic is declared and may cross",
      network: declaring({ topics: ["prices.fifo"] }),
      has: [inbound, deadLetters, feed, ingress, undelivered],
    },
    {
      rule: "no feed where only the peer declares the topic",
      network: declaring({}, { topics: ["prices.fifo"] }),
      has: [inbound, deadLetters, ingress, undelivered],
    },
    {
      rule: "a door alone for what no link may carry",
      network: declaring({ topics: ["prices.fifo"] }, {}, { excludedDestinations: ["topic://prices.>"] }),
      has: [deadLetters, ingress],
    },
  ])("$rule", ({ network, has }) => {
    expect(fifoNames(deployed(stackOf(network, "us")))).toEqual(has);
  });

  test("what CDK code declares, too, and its deployment counts it", () => {
    const stack = stackOf(declaring({ queues: ["orders.fifo"] }), "us");
    stack.topic("prices.fifo");
    stack.queue("more.fifo");
    const broker = deployed(stack);
    expect(fifoNames(broker)).toEqual([inbound, "q-more.fifo", "q-orders.fifo", deadLetters, feed, ingress, undelivered]);
    const [last] = broker.ofType("Custom::SpanMQBroker");
    const own = addressesOf("net", { id: stack.broker, region: "us-east-1", account: usAccount } as never, sha256);
    const counted = Object.values(stackQueues(JSON.parse(last?.properties.slice), own)).flat();
    expect([...counted, own.controlQueue].toSorted()).toEqual(
      queuesOf(broker)
        .map(({ QueueName }) => QueueName)
        .toSorted(),
    );
    expect(last?.dependsOn).toEqual(expect.arrayContaining(broker.ofType("AWS::SQS::Queue").map(({ logicalId }) => logicalId)));
  });

  test("nothing of it changes anything else of a broker", () => {
    const plain = declaring({ queues: ["orders"] }, { queues: ["orders"] });
    const withOrder = declaring({ queues: ["orders", "orders.fifo"] }, { queues: ["orders"] });
    const [before, after] = [plain, withOrder].map((network) => deployed(stackOf(network, "us")));
    const kinds = [
      "AWS::SQS::Queue",
      "AWS::SQS::QueuePolicy",
      "AWS::Lambda::EventSourceMapping",
      "AWS::SNS::Topic",
      "AWS::DynamoDB::Table",
    ];
    for (const resource of kinds.flatMap((kind) => before?.ofType(kind) ?? [])) expect(after?.resources).toContainEqual(resource);
  });
});

describe("a FIFO queue", () => {
  const fifo = both.flatMap(queuesOf).filter(({ QueueName }) => isFifoName(QueueName));

  test("keeps order by group, and tells repeated sends of one group by their ids alone", () => {
    expect(fifo).toHaveLength(2 * 5 + 1);
    for (const properties of fifo) {
      expect(properties).toMatchObject({
        FifoQueue: true,
        DeduplicationScope: "messageGroup",
        FifoThroughputLimit: "perMessageGroupId",
        MessageRetentionPeriod: 14 * 86_400,
        SqsManagedSseEnabled: true,
      });
      expect(properties.ContentBasedDeduplication).toBeUndefined();
    }
  });

  test("that feeds dispatch does so in tens, at once, with partial failures", () => {
    const sources = both
      .flatMap((stack) => stack.ofType("AWS::Lambda::EventSourceMapping"))
      .filter(({ properties }) => isFifoName(properties.EventSourceArn));
    expect(sources).toHaveLength(2 + 1 + 2);
    for (const { properties } of sources) {
      expect(properties).toMatchObject({ BatchSize: 10, FunctionResponseTypes: ["ReportBatchItemFailures"] });
      expect(properties.MaximumBatchingWindowInSeconds).toBeUndefined();
      expect(properties.FunctionName).toMatch(/-dispatch$/);
    }
  });

  test.for([
    { rule: "six times a short timeout", timeoutSeconds: 10, seconds: 60 },
    { rule: "at most four minutes, so that what comes again is recognised", timeoutSeconds: 60, seconds: 240 },
  ])("that feeds dispatch hides a message for $rule", ({ timeoutSeconds, seconds }) => {
    const broker = deployed(stackOf(ordered, "us", { timeoutSeconds }));
    for (const name of ["sys-ingress.fifo", "sys-feed.fifo", "in-eu-us_-eu.fifo"])
      expect(broker.named("AWS::SQS::Queue", "QueueName", `spanmq-net-us-${name}`).properties.VisibilityTimeout, name).toBe(seconds);
  });

  test.for([0, 1 + longestRun / 1_000, 300, 1.5])(
    "a broker whose functions may run for %d s is refused: control counts on a minute",
    (timeoutSeconds) => {
      const says = `broker us: timeoutSeconds ${timeoutSeconds} must be whole seconds from 1 to 60`;
      expect(() => stackOf(ordered, "us", { timeoutSeconds })).toThrow(says);
    },
  );

  test("that feeds dispatch gives up to a FIFO queue after a thousand receives, no other does", () => {
    for (const { QueueName, RedrivePolicy } of fifo) {
      const isDoor = /-(sys-ingress|sys-feed|in-.+)\.fifo$/.test(QueueName);
      expect(RedrivePolicy?.maxReceiveCount, QueueName).toBe(isDoor ? 1000 : undefined);
      if (isDoor) expect(RedrivePolicy.deadLetterTargetArn).toMatch(/-sys-dead-letters\.fifo$/);
    }
  });

  test("leaves room for the header that a message gets on its way", () => {
    expect(us.named("AWS::SQS::Queue", "QueueName", "spanmq-net-us-sys-ingress.fifo").properties.MaximumMessageSize).toBe(1_048_576 - 8192);
  });
});

test("a FIFO topic takes as much as its groups, and repeated publishes are told by their ids alone", () => {
  const { properties } = us.named("AWS::SNS::Topic", "TopicName", "spanmq-net-us-t-prices.fifo");
  expect(properties).toMatchObject({ FifoTopic: true, FifoThroughputScope: "MessageGroup", MaximumMessageSize: 262_144 - 8192 });
  expect(properties.ContentBasedDeduplication).toBeUndefined();
});

const sqs = (name: string) => `arn:aws:sqs:us-east-1:${usAccount}:spanmq-net-us-${name}`;
const peerSqs = (name: string) => `arn:aws:sqs:eu-west-1:${euAccount}:spanmq-net-eu-${name}`;

describe("of the ordered queues", () => {
  const may = (name: string, action: string, resource: string): boolean => {
    const caller = { role: `arn:aws:iam::${usAccount}:role/${name}` };
    return judgeRequest({ caller, action, resource, owner: usAccount }, us.identityPolicy(name), []) === "allowed";
  };

  test.for([
    { rule: "dispatch takes from ingress", role: "dispatch", action: "sqs:ReceiveMessage", resource: sqs("sys-ingress.fifo"), may: true },
    { rule: "dispatch takes from the feed", role: "dispatch", action: "sqs:DeleteMessage", resource: sqs("sys-feed.fifo"), may: true },
    {
      rule: "dispatch gives back what came by the link",
      role: "dispatch",
      action: "sqs:ChangeMessageVisibility",
      resource: sqs("in-eu-us_-eu.fifo"),
      may: true,
    },
    {
      rule: "dispatch hands over to the link",
      role: "dispatch",
      action: "sqs:SendMessage",
      resource: peerSqs("in-us-us_-eu.fifo"),
      may: true,
    },
    { rule: "dispatch parks", role: "dispatch", action: "sqs:SendMessage", resource: sqs("sys-undelivered-us_-eu.fifo"), may: true },
    { rule: "dispatch redrives", role: "dispatch", action: "sqs:ReceiveMessage", resource: sqs("sys-undelivered-us_-eu.fifo"), may: true },
    { rule: "dispatch feeds nothing", role: "dispatch", action: "sqs:SendMessage", resource: sqs("sys-feed.fifo"), may: false },
    {
      rule: "dispatch dead-letters by verdict alone",
      role: "dispatch",
      action: "sqs:SendMessage",
      resource: sqs("sys-dead-letters.fifo"),
      may: false,
    },
    {
      rule: "control reads what is parked",
      role: "control",
      action: "sqs:GetQueueAttributes",
      resource: sqs("sys-undelivered-us_-eu.fifo"),
      may: true,
    },
    {
      rule: "control probes on the other way",
      role: "control",
      action: "sqs:SendMessage",
      resource: peerSqs("in-us-us_-eu.fifo"),
      may: false,
    },
    { rule: "control probes", role: "control", action: "sqs:SendMessage", resource: peerSqs("in-us-us_-eu"), may: true },
    { rule: "deployment counts", role: "deployment", action: "sqs:GetQueueAttributes", resource: sqs("sys-ingress.fifo"), may: true },
  ])("$rule: $may", ({ role, action, resource, may: expected }) => {
    expect(may(`spanmq-net-us-${role}`, action, resource)).toBe(expected);
  });
});

describe("who may send to the ordered queues", () => {
  const everything: readonly Statement[] = [{ Effect: "Allow", Action: "*", Resource: "*" }];
  const role = (account: string, name: string): Caller => ({ role: `arn:aws:iam::${account}:role/${name}` });
  const sns = { service: "sns.amazonaws.com" };
  const ownTopic = `arn:aws:sns:us-east-1:${usAccount}:spanmq-net-us-t-prices.fifo`;
  const peerTopic = `arn:aws:sns:eu-west-1:${euAccount}:spanmq-net-eu-t-prices.fifo`;

  test.for<{ rule: string; caller: Caller; to: string; topic?: string; verdict: string }>([
    { rule: "own topics feed", caller: sns, topic: ownTopic, to: "sys-feed.fifo", verdict: "allowed" },
    { rule: "a peer's topics don't", caller: sns, topic: peerTopic, to: "sys-feed.fifo", verdict: "denied" },
    { rule: "nor does a producer of the own account", caller: role(usAccount, "shop"), to: "sys-feed.fifo", verdict: "denied" },
    { rule: "what own topics can't feed is kept", caller: sns, topic: ownTopic, to: "sys-dead-letters.fifo", verdict: "allowed" },
    { rule: "a producer sends to ingress", caller: role(usAccount, "shop"), to: "sys-ingress.fifo", verdict: "allowed" },
    {
      rule: "the peer's dispatch hands over",
      caller: role(euAccount, "spanmq-net-eu-dispatch"),
      to: "in-eu-us_-eu.fifo",
      verdict: "allowed",
    },
    { rule: "no topic does", caller: sns, topic: peerTopic, to: "in-eu-us_-eu.fifo", verdict: "denied" },
    { rule: "an administrator doesn't either", caller: role(usAccount, "admin"), to: "in-eu-us_-eu.fifo", verdict: "denied" },
    { rule: "no topic parks", caller: sns, topic: ownTopic, to: "sys-undelivered-us_-eu.fifo", verdict: "not allowed" },
  ])("$rule", ({ caller, topic, to, verdict }) => {
    const context: Record<string, string> = topic === undefined ? {} : { "aws:SourceArn": topic };
    const request = { caller, action: "sqs:SendMessage", resource: sqs(to), owner: usAccount, context };
    expect(judgeRequest(request, everything, us.resourcePolicy(sqs(to)))).toBe(verdict);
  });
});

describe("in CDK code", () => {
  const aFunction = (stack: Stack) =>
    new LambdaFunction(stack, "Fn", {
      functionName: "shop",
      runtime: Runtime.NODEJS_24_X,
      handler: "index.handler",
      code: Code.fromInline("exports.handler = async () => {}"),
      timeout: Duration.seconds(10),
    });
  const wired = (wire: (us: BrokerStack, shop: LambdaFunction) => void) => {
    const stack = stackOf(declaring({}), "us");
    const shop = new Stack(stack.node.root as never, "Shop", { env: { region: "us-east-1", account: usAccount } });
    wire(stack, aFunction(shop));
    return { broker: deployed(stack), shop: deployed(shop) };
  };

  test("a function consumes a FIFO queue, and what kills it a thousand times ends in the FIFO dead letters", () => {
    const { broker, shop } = wired((stack, fn) => stack.queue("orders.fifo").addConsumer(fn));
    expect(shop.ofType("AWS::Lambda::EventSourceMapping")[0]?.properties).toMatchObject({
      EventSourceArn: sqs("q-orders.fifo"),
      BatchSize: 10,
    });
    expect(broker.named("AWS::SQS::Queue", "QueueName", "spanmq-net-us-q-orders.fifo").properties).toMatchObject({
      VisibilityTimeout: 60,
      RedrivePolicy: { deadLetterTargetArn: sqs("sys-dead-letters.fifo"), maxReceiveCount: 1000 },
    });
  });

  test("a producer of a FIFO queue may send to the ordered ingress, not to the other", () => {
    const { shop } = wired((stack, fn) => stack.queue("orders.fifo").grantSend(fn));
    const [role] = shop.ofType("AWS::IAM::Role");
    const caller = { role: `arn:aws:iam::${usAccount}:role/${role?.logicalId}` };
    const may = (name: string) =>
      judgeRequest(
        { caller, action: "sqs:SendMessage", resource: sqs(name), owner: usAccount },
        shop.identityPolicy(role?.logicalId ?? ""),
        [],
      );
    expect(["sys-ingress.fifo", "q-orders.fifo", "sys-ingress"].map(may)).toEqual(["allowed", "allowed", "not allowed"]);
  });

  test("a FIFO topic feeds no function, and the error says what does", () => {
    expect(() => wired((stack, fn) => stack.topic("prices.fifo").addConsumer(fn))).toThrow(
      /topic prices\.fifo keeps order, and SNS delivers no FIFO topic to a function: subscribe a FIFO queue/,
    );
  });

  test.for([
    { rule: "a FIFO queue a standard one", name: "orders.fifo", letters: {}, fails: true },
    { rule: "a standard queue a FIFO one", name: "orders", letters: { fifo: true }, fails: true },
    { rule: "a FIFO queue a FIFO one", name: "orders.fifo", letters: { fifo: true }, fails: false },
  ])("dead letters are of the queue's own kind: $rule", ({ name, letters, fails }) => {
    const wire = () =>
      wired((stack) => stack.queue(name, { deadLetterQueue: { queue: new Queue(stack, "Letters", letters), maxReceiveCount: 3 } }));
    if (fails) expect(wire).toThrow(`queue ${name}: SQS gives up messages of a FIFO queue to a FIFO queue`);
    else expect(wire).not.toThrow();
  });
});

test("a network without FIFO destinations has no trace of them", () => {
  for (const broker of ["us", "eu"]) expect(JSON.stringify(deployed(stackOf(pair, broker)).resources)).not.toMatch(/fifo/i);
});
