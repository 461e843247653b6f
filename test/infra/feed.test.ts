import { describe, expect, test } from "vitest";
import { stackQueues } from "../../core/broker/sweep/stack-queues.ts";
import type { NetworkInput } from "../../core/config/define-network.ts";
import { addressesOf } from "../../core/destination/addresses.ts";
import { sha256 } from "../support/hash.ts";
import { deployed } from "../support/template/deployed.ts";
import { euAccount, stackOf, usAccount } from "../support/template/networks.ts";
import { type Caller, judgeRequest, type Statement } from "../support/template/policy.ts";

const declaring = (us: object, connector: object = {}): NetworkInput => ({
  network: "net",
  brokers: {
    us: { region: "us-east-1", account: usAccount, networkConnectors: [{ name: "us-eu", to: "eu", ...connector }], ...us },
    eu: { region: "eu-west-1", account: euAccount },
  },
});
const onlyQueues = { dynamicallyIncludedDestinations: ["queue://>"] };
const sqs = (name: string) => `arn:aws:sqs:us-east-1:${usAccount}:spanmq-net-us-${name}`;
const hasFeed = (broker: ReturnType<typeof deployed>): boolean =>
  broker.ofType("AWS::SQS::Queue").some(({ properties }) => properties.QueueName === "spanmq-net-us-sys-feed");

describe("a broker has a feed", () => {
  test.for([
    { rule: "where it declares a topic", network: declaring({ topics: ["prices"] }, onlyQueues), has: true },
    { rule: "where a connector permits topics, which are made on first use", network: declaring({}), has: true },
    { rule: "where topics may be made", network: declaring({ autoCreateDestinations: ["topic://prices.>"] }, onlyQueues), has: true },
    { rule: "not where there are queues only", network: declaring({ queues: ["orders"] }, onlyQueues), has: false },
    { rule: "not where nothing is made", network: declaring({ autoCreateDestinations: [] }), has: false },
    { rule: "not for FIFO topics alone", network: declaring({ topics: ["prices.fifo"], autoCreateDestinations: [] }), has: false },
  ])("$rule", ({ network, has }) => {
    expect(hasFeed(deployed(stackOf(network, "us")))).toBe(has);
  });

  test("where CDK code declares a topic, and its deployment counts it", () => {
    const stack = stackOf(declaring({}, onlyQueues), "us");
    stack.topic("prices");
    const broker = deployed(stack);
    const [last] = broker.ofType("Custom::SpanMQBroker");
    const own = addressesOf("net", { id: stack.broker, region: "us-east-1", account: usAccount } as never, sha256);
    expect(hasFeed(broker)).toBe(true);
    expect(stackQueues(JSON.parse(last?.properties.slice), own).fed).toContain("spanmq-net-us-sys-feed");
  });
});

describe("a feed", () => {
  const us = deployed(stackOf(declaring({ topics: ["prices"] }), "us"));
  const everything: readonly Statement[] = [{ Effect: "Allow", Action: "*", Resource: "*" }];
  const sns = { service: "sns.amazonaws.com" };
  const role = (name: string): Caller => ({ role: `arn:aws:iam::${usAccount}:role/${name}` });
  const ownTopic = `arn:aws:sns:us-east-1:${usAccount}:spanmq-net-us-t-prices`;
  const peerTopic = `arn:aws:sns:eu-west-1:${euAccount}:spanmq-net-eu-t-prices`;

  test.for<{ rule: string; caller: Caller; to: string; topic?: string; verdict: string }>([
    { rule: "takes from own topics", caller: sns, topic: ownTopic, to: "sys-feed", verdict: "allowed" },
    { rule: "takes nothing from a peer's", caller: sns, topic: peerTopic, to: "sys-feed", verdict: "denied" },
    { rule: "takes nothing from producers", caller: role("shop"), to: "sys-feed", verdict: "denied" },
    { rule: "has dead letters that topics may send to", caller: sns, topic: ownTopic, to: "sys-dead-letters", verdict: "allowed" },
  ])("$rule", ({ caller, topic, to, verdict }) => {
    const context: Record<string, string> = topic === undefined ? {} : { "aws:SourceArn": topic };
    const request = { caller, action: "sqs:SendMessage", resource: sqs(to), owner: usAccount, context };
    expect(judgeRequest(request, everything, us.resourcePolicy(sqs(to)))).toBe(verdict);
  });

  test("is emptied by dispatch, in tens, at once, with partial failures", () => {
    const name = "spanmq-net-us-dispatch";
    const request = { caller: role(name), action: "sqs:DeleteMessage", resource: sqs("sys-feed"), owner: usAccount };
    expect(judgeRequest(request, us.identityPolicy(name), [])).toBe("allowed");
    const source = us.ofType("AWS::Lambda::EventSourceMapping").find(({ properties }) => properties.EventSourceArn === sqs("sys-feed"));
    expect(source?.properties).toMatchObject({ BatchSize: 10, FunctionResponseTypes: ["ReportBatchItemFailures"], FunctionName: name });
  });
});
