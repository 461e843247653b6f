import type { Stack } from "aws-cdk-lib";
import { describe, expect, test } from "vitest";
import type { NetworkInput } from "../../core/config/define-network.ts";
import { deployed } from "../support/template/deployed.ts";
import { euAccount, pair, stackOf, usAccount } from "../support/template/networks.ts";

const between = (from: string, to: string): NetworkInput => ({
  network: "net",
  brokers: {
    a: { region: from, account: usAccount, networkConnectors: [{ name: "ab", to: "b", dynamicallyIncludedDestinations: ["topic://>"] }] },
    b: { region: to, account: euAccount },
  },
});
const inboundArn = (region: string) => `arn:aws:sqs:${region}:${euAccount}:spanmq-net-b-in-a-ab`;
const snsPrincipalsOf = (from: string, to: string): unknown =>
  deployed(stackOf(between(from, to), "b"))
    .resourcePolicy(inboundArn(to))
    .filter(({ Principal }) => typeof Principal === "object" && "Service" in Principal)
    .map(({ Principal }) => (Principal as { Service: unknown }).Service);

const warningsOf = (stack: Stack): readonly unknown[] =>
  stack.node.findAll().flatMap(({ node }) => node.metadata.filter(({ type }) => type === "aws:cdk:warning").map(({ data }) => data));

describe("a link", () => {
  test.for([
    { rule: "between regions enabled by default needs SNS alone", from: "us-east-1", to: "eu-west-1", services: "sns.amazonaws.com" },
    {
      rule: "from an opt-in region, that region's own SNS too",
      from: "ap-east-1",
      to: "us-east-1",
      services: ["sns.amazonaws.com", "sns.ap-east-1.amazonaws.com"],
    },
    {
      rule: "to an opt-in region, that region's own SNS too",
      from: "us-east-1",
      to: "eu-south-1",
      services: ["sns.amazonaws.com", "sns.eu-south-1.amazonaws.com"],
    },
    {
      rule: "within one opt-in region, its own SNS once",
      from: "eu-south-1",
      to: "eu-south-1",
      services: ["sns.amazonaws.com", "sns.eu-south-1.amazonaws.com"],
    },
  ])("C11: $rule", ({ from, to, services }) => {
    expect(snsPrincipalsOf(from, to)).toEqual([services]);
  });

  test("C11: between two opt-in regions SNS delivers nothing, and the deployment says so", () => {
    expect(warningsOf(stackOf(between("ap-east-1", "eu-south-1"), "b"))).toEqual([
      expect.stringMatching(/^SNS delivers nothing from ap-east-1 to eu-south-1/),
    ]);
    expect(warningsOf(stackOf(between("ap-east-1", "us-east-1"), "b"))).toEqual([]);
  });

  test("C13: 200 topics cross by one statement, and the policy stays far below the 8 KiB that SQS takes", () => {
    const names = Array.from({ length: 200 }, (_, i) => `prices.of.some.market.number.${i}`);
    const many = between("us-east-1", "eu-west-1");
    const { a, b } = many.brokers;
    if (!a || !b) throw new Error("the pair lost a broker");
    const network = { ...many, brokers: { a: { ...a, topics: names }, b } };
    const policy = deployed(stackOf(network, "b")).resourcePolicy(inboundArn("eu-west-1"));
    const ofTopics = policy.filter(({ Condition }) => Condition?.ArnLike?.["aws:SourceArn"] !== undefined);
    expect(ofTopics).toHaveLength(1);
    expect(ofTopics[0]?.Condition?.ArnLike?.["aws:SourceArn"]).toBe(`arn:aws:sns:us-east-1:${usAccount}:spanmq-net-a-t-*`);
    expect(JSON.stringify(policy).length).toBeLessThan(4096);
    expect(deployed(stackOf(network, "a")).resources.length).toBeLessThan(500);
  });

  test("has its inbound where it ends and its undelivered where it begins, one of each a direction", () => {
    const queues = (broker: string) =>
      deployed(stackOf(pair, broker))
        .ofType("AWS::SQS::Queue")
        .map(({ properties }) => properties.QueueName);
    expect(queues("us")).toEqual(expect.arrayContaining(["spanmq-orders-us-in-eu-us_-eu", "spanmq-orders-us-sys-undelivered-us_-eu"]));
    expect(queues("eu")).toEqual(expect.arrayContaining(["spanmq-orders-eu-in-us-us_-eu", "spanmq-orders-eu-sys-undelivered-us_-eu"]));
    const oneWay = deployed(stackOf(between("us-east-1", "eu-west-1"), "a"))
      .ofType("AWS::SQS::Queue")
      .map(({ properties }) => properties.QueueName);
    expect(oneWay.filter((name) => /-in-|undelivered/.test(name))).toEqual(["spanmq-net-a-sys-undelivered-ab"]);
  });

  test("works as many batches at once as it is given", () => {
    const eu = deployed(stackOf(pair, "eu", { linkConcurrency: 5 }));
    const [inbound] = eu.ofType("AWS::Lambda::EventSourceMapping").filter(({ properties }) => /-in-us-/.test(properties.EventSourceArn));
    expect(inbound?.properties.ScalingConfig).toEqual({ MaximumConcurrency: 5 });
  });
});

test("a broker without links has neither peers to admit nor statements about them", () => {
  const alone = deployed(stackOf({ network: "net", brokers: { a: { region: "us-east-1", account: usAccount } } }, "a"));
  for (const { properties } of alone.ofType("AWS::DynamoDB::Table")) expect(properties.ResourcePolicy).toBeUndefined();
  expect(alone.resourcePolicy(`arn:aws:sqs:us-east-1:${usAccount}:spanmq-net-a-sys-control`)).toHaveLength(1);
  expect(JSON.stringify(alone.identityPolicy("spanmq-net-a-control"))).not.toContain('"Resource":[]');
});

describe("N40: the order in which the file says things", () => {
  const written = (swapped: boolean): NetworkInput => {
    const connectors = [
      { name: "one", to: "b", duplex: true, dynamicallyIncludedDestinations: ["queue://a.>", "queue://b.>"] },
      { name: "two", to: "b", duplex: true, dynamicallyIncludedDestinations: ["queue://c.>"], networkTTL: 2 },
    ];
    const a = { region: "us-east-1", account: usAccount, queues: ["x", "y"], networkConnectors: connectors };
    const b = { region: "eu-west-1", account: euAccount, consumers: [{ destination: "queue://m" }, { destination: "queue://n" }] };
    const other = { ...a, queues: a.queues.toReversed(), networkConnectors: connectors.toReversed() };
    if (!swapped) return { network: "net", brokers: { a, b } };
    return { network: "net", brokers: { b: { ...b, consumers: b.consumers.toReversed() }, a: other } };
  };

  test.for(["a", "b"])("changes no logical id and no property of broker %s", (broker) => {
    const [before, after] = [false, true].map((swapped) => deployed(stackOf(written(swapped), broker)));
    const byId = (stack: typeof before) => Object.fromEntries(stack?.resources.map((resource) => [resource.logicalId, resource]) ?? []);
    expect(byId(after)).toEqual(byId(before));
  });
});
