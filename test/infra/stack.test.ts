import { Template } from "aws-cdk-lib/assertions";
import { describe, expect, test, vi } from "vitest";
import { sha256 } from "../../aws/keys.ts";
import { addressesOf } from "../../core/destination/addresses.ts";
import { brokerId } from "../../core/ids.ts";
import { deployed } from "../support/template/deployed.ts";
import { euAccount, pair, stackOf, stacksOf, usAccount } from "../support/template/networks.ts";

vi.stubEnv("CDK_DEFAULT_ACCOUNT", undefined); // whoever runs the tests may have credentials

const names = (resources: readonly { readonly properties: Record<string, string> }[], property: string) =>
  resources.map(({ properties }) => properties[property]);

describe("a broker's stack", () => {
  const stacks = stacksOf(pair);
  const eu = deployed(stackOf(pair, "eu"));

  test("is named after network and broker, and stands where the configuration says", () => {
    expect(Object.values(stacks).map(({ stackName, account, region }) => [stackName, account, region])).toEqual([
      ["spanmq-orders-us", "111111111111", "us-east-1"],
      ["spanmq-orders-eu", "222222222222", "eu-west-1"],
    ]);
  });

  test("C12: shares nothing with its peers' stacks, so that they deploy and go in any order: control subscribes, no template does", () => {
    for (const stack of Object.values(stacks)) {
      const template = JSON.stringify(Template.fromStack(stack).toJSON());
      expect(template).not.toMatch(/Fn::ImportValue|"Export"|AWS::SNS::Subscription/);
      expect(stack.dependencies).toEqual([]);
    }
  });

  test("gives everything the name that a peer computes", () => {
    const place = { id: brokerId("eu"), region: "eu-west-1", account: euAccount };
    const at = addressesOf("orders", place, sha256);
    expect(names(eu.ofType("AWS::SQS::Queue"), "QueueName").toSorted()).toEqual(
      [
        at.controlQueue,
        at.ingressQueue,
        at.feedQueue(),
        at.deadLettersQueue,
        at.inboundQueue(brokerId("us"), "us-eu"),
        at.undeliveredQueue("us-eu"),
        at.queue("plain.orders"),
      ].toSorted(),
    );
    expect(names(eu.ofType("AWS::SNS::Topic"), "TopicName")).toEqual([at.advisoryTopic]);
    expect(names(eu.ofType("AWS::DynamoDB::Table"), "TableName").toSorted()).toEqual([at.auditTable, at.brainTable]);
    expect(names(eu.ofType("AWS::IAM::Role"), "RoleName")).toEqual(expect.arrayContaining([at.dispatchRole, at.controlRole]));
  });

  test("tags what it makes with its network and broker, and not as something that control made", () => {
    for (const { properties } of eu.ofType("AWS::SQS::Queue")) {
      const tags = Object.fromEntries(properties.Tags.map(({ Key, Value }: { Key: string; Value: string }) => [Key, Value]));
      expect(tags).toEqual({ "spanmq:network": "orders", "spanmq:broker": "eu" });
    }
  });

  test("of a mesh of sixteen brokers stays below the limits of a stack, a function's environment and a role's policies", () => {
    const ids = Array.from({ length: 16 }, (_, i) => `b${i}`);
    const links = ids.flatMap((from, i) => ids.slice(i + 1).map((to) => `${from} <-> ${to}`));
    const mesh = deployed(
      stackOf({ network: "mesh", brokers: Object.fromEntries(ids.map((id) => [id, { region: "us-east-1" }])), links }, "b0"),
    );
    expect(mesh.resources.length).toBeLessThan(500);
    const [dispatch] = mesh.ofType("AWS::Lambda::Function");
    expect(JSON.stringify(dispatch?.properties.Environment.Variables).length).toBeLessThan(4096);
    for (const role of ["dispatch", "control", "deployment"]) {
      expect(JSON.stringify(mesh.identityPolicy(`spanmq-mesh-b0-${role}`)).length, role).toBeLessThan(10_240);
    }
  });
});

describe("the deployment's last step", () => {
  const stack = stackOf(pair, "us");
  const us = deployed(stack);
  const [last] = us.ofType("Custom::SpanMQBroker");

  test("hands the broker its configuration as JSON", () => {
    expect(JSON.parse(last?.properties.slice)).toMatchObject({
      network: "orders",
      broker: "us",
      queues: ["orders.new"],
      topics: ["prices"],
      connectors: [{ link: "eu:us-eu" }, { link: "us:us-eu", conduitSubscriptions: true, messageTTL: 1 }],
    });
  });

  test("waits for everything else: a broker is told of its configuration when all of it stands", () => {
    const own = /^Deployment/;
    const others = us.resources.filter(({ logicalId }) => !own.test(logicalId)).map(({ logicalId }) => logicalId);
    expect(last?.dependsOn).toEqual(expect.arrayContaining(others));
  });

  test("leaves accounts that nobody named to CloudFormation", () => {
    const anywhere = { network: "net", brokers: { a: { region: "us-east-1" }, b: { region: "eu-west-1" } }, links: ["a <-> b"] };
    const [resource] = deployed(stackOf(anywhere, "a"), "999999999999").ofType("Custom::SpanMQBroker");
    expect(JSON.parse(resource?.properties.slice).brokers).toEqual([
      { id: "a", region: "us-east-1", account: "999999999999" },
      { id: "b", region: "eu-west-1", account: "999999999999" },
    ]);
  });
});

test("a region that CDK doesn't know is warned of with the nearest, not refused: it may be new", () => {
  const stack = stackOf({ network: "net", brokers: { us: { region: "us-esat-1", account: usAccount } } }, "us");
  expect(JSON.stringify(stack.node.root.node.metadata)).toContain("did you mean us-east-1?");
});
