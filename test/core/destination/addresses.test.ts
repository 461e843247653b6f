import { describe, expect, test } from "vitest";
import { addressesOf } from "../../../core/destination/addresses.ts";
import { destinationOf } from "../../../core/destination/destination.ts";
import { idsLimit } from "../../../core/destination/physical-name.ts";
import { arnOf, partitionOf, queueUrl } from "../../../core/destination/place.ts";
import { brokerId } from "../../../core/ids.ts";
import { sha256 } from "../../support/hash.ts";

const place = { id: brokerId("us"), region: "us-east-1", account: "123456789012" };
const us = addressesOf("orders", place, sha256);

describe("addresses of a broker", () => {
  test.for([
    { thing: "brain table", name: us.brainTable, expected: "spanmq-orders-us-sys-brain" },
    { thing: "audit table", name: us.auditTable, expected: "spanmq-orders-us-sys-audit" },
    { thing: "control queue", name: us.controlQueue, expected: "spanmq-orders-us-sys-control" },
    { thing: "ingress queue", name: us.ingressQueue, expected: "spanmq-orders-us-sys-ingress" },
    { thing: "dead letters", name: us.deadLettersQueue, expected: "spanmq-orders-us-sys-dead-letters" },
    { thing: "advisory topic", name: us.advisoryTopic, expected: "spanmq-orders-us-sys-advisory" },
    { thing: "undelivered queue of a connector", name: us.undeliveredQueue("us-eu"), expected: "spanmq-orders-us-sys-undelivered-us_-eu" },
    { thing: "inbound of a link", name: us.inboundQueue(brokerId("eu"), "main"), expected: "spanmq-orders-us-in-eu-main" },
    { thing: "queue", name: us.nameOf(destinationOf("queue://orders.new")), expected: "spanmq-orders-us-q-orders-new" },
    { thing: "topic", name: us.nameOf(destinationOf("topic://prices")), expected: "spanmq-orders-us-t-prices" },
    { thing: "temporary queue", name: us.nameOf(destinationOf("temp-queue://x1")), expected: "spanmq-orders-us-tmp-x1" },
    { thing: "client's own queue", name: us.ownQueue("c1.1"), expected: "spanmq-orders-us-s-c1-1" },
    { thing: "dispatch role", name: us.dispatchRole, expected: "spanmq-orders-us-dispatch" },
    { thing: "control role", name: us.controlRole, expected: "spanmq-orders-us-control" },
    { thing: "signing key", name: us.keyParameter, expected: "/spanmq/orders/us/signing-key" },
    { thing: "ARN of a queue", name: us.queueArn("a"), expected: "arn:aws:sqs:us-east-1:123456789012:a" },
    { thing: "ARN of a topic", name: us.topicArn("a"), expected: "arn:aws:sns:us-east-1:123456789012:a" },
    { thing: "ARN of a table", name: us.tableArn("a"), expected: "arn:aws:dynamodb:us-east-1:123456789012:table/a" },
    { thing: "ARN of a role, which has no region", name: us.roleArn("a"), expected: "arn:aws:iam::123456789012:role/a" },
    { thing: "ARN of a parameter", name: us.parameterArn("/a/b"), expected: "arn:aws:ssm:us-east-1:123456789012:parameter/a/b" },
    { thing: "URL of a queue", name: us.queueUrl("a"), expected: "https://sqs.us-east-1.amazonaws.com/123456789012/a" },
  ])("$thing", ({ name, expected }) => {
    expect(name).toBe(expected);
  });

  test("a topic's name may be three times as long as a queue's", () => {
    const name = "x".repeat(200);
    expect(us.topic(name)).toBe(`spanmq-orders-us-t-${name}`);
    expect(us.queue(name)).toHaveLength(80);
  });

  test("ids within their limit leave every role a name that IAM takes", () => {
    const longest = addressesOf("n", { ...place, id: brokerId("b".repeat(idsLimit - 1)) }, sha256);
    expect(Math.max(longest.dispatchRole.length, longest.controlRole.length)).toBeLessThanOrEqual(64);
  });
});

describe("partitions", () => {
  test.for([
    { region: "eu-west-1", partition: "aws", host: "sqs.eu-west-1.amazonaws.com" },
    { region: "cn-north-1", partition: "aws-cn", host: "sqs.cn-north-1.amazonaws.com.cn" },
    { region: "us-gov-west-1", partition: "aws-us-gov", host: "sqs.us-gov-west-1.amazonaws.com" },
  ])("$region is in $partition", ({ region, partition, host }) => {
    expect(partitionOf(region)).toBe(partition);
    expect(arnOf("sns", { region, account: "1" }, "t")).toBe(`arn:${partition}:sns:${region}:1:t`);
    expect(queueUrl({ region, account: "1" }, "q")).toBe(`https://${host}/1/q`);
  });
});
