import { describe, expect, test } from "vitest";
import { deployed } from "../support/template/deployed.ts";
import { euAccount, pair, stackOf, usAccount } from "../support/template/networks.ts";
import { judgeRequest } from "../support/template/policy.ts";

const us = deployed(stackOf(pair, "us"));
const sqs = (name: string) => `arn:aws:sqs:us-east-1:${usAccount}:spanmq-orders-us-${name}`;
const sns = (name: string) => `arn:aws:sns:us-east-1:${usAccount}:spanmq-orders-us-${name}`;
const peerSqs = (name: string) => `arn:aws:sqs:eu-west-1:${euAccount}:spanmq-orders-eu-${name}`;
const peerSns = (name: string) => `arn:aws:sns:eu-west-1:${euAccount}:spanmq-orders-eu-${name}`;
const brain = `arn:aws:dynamodb:us-east-1:${usAccount}:table/spanmq-orders-us-sys-brain`;
const audit = `arn:aws:dynamodb:us-east-1:${usAccount}:table/spanmq-orders-us-sys-audit`;
const peerAudit = `arn:aws:dynamodb:eu-west-1:${euAccount}:table/spanmq-orders-eu-sys-audit`;
const peerBrain = `arn:aws:dynamodb:eu-west-1:${euAccount}:table/spanmq-orders-eu-sys-brain`;
const key = `arn:aws:ssm:us-east-1:${usAccount}:parameter/spanmq/orders/us/signing-key`;
const dispatch = `arn:aws:lambda:us-east-1:${usAccount}:function:spanmq-orders-us-dispatch`;

interface Row {
  readonly rule: string;
  readonly action: string;
  readonly resource: string;
  readonly context?: Readonly<Record<string, string | readonly string[]>>;
  readonly may: boolean;
}

/** Only the role's own policies: `owner` is made the role's account, so that a peer's leave isn't asked for. */
const may = (name: string, { action, resource, context = {} }: Omit<Row, "rule" | "may">): boolean => {
  const caller = { role: `arn:aws:iam::${usAccount}:role/${name}` };
  return judgeRequest({ caller, action, resource, owner: usAccount, context }, us.identityPolicy(name), []) === "allowed";
};
const ourTags = (tag: string) => ({ [`aws:${tag}/spanmq:broker`]: "us", [`aws:${tag}/spanmq:destination`]: "queue://orders.new" });

describe("dispatch", () => {
  test.for<Row>([
    { rule: "takes from ingress", action: "sqs:ReceiveMessage", resource: sqs("sys-ingress"), may: true },
    { rule: "takes from the inbound of its link", action: "sqs:DeleteMessage", resource: sqs("in-eu-us_-eu"), may: true },
    { rule: "gives records back for a while", action: "sqs:ChangeMessageVisibility", resource: sqs("in-eu-us_-eu"), may: true },
    { rule: "drains a queue that control made meanwhile", action: "sqs:ReceiveMessage", resource: sqs("q-orders-later"), may: true },
    { rule: "drains a client's private queue", action: "sqs:ReceiveMessage", resource: sqs("s-anything"), may: true },
    { rule: "hands over to own queues", action: "sqs:SendMessage", resource: sqs("q-orders-later"), may: true },
    { rule: "hands over to own topics", action: "sns:Publish", resource: sns("t-prices"), may: true },
    { rule: "hands over to the peer's inbound", action: "sqs:SendMessage", resource: peerSqs("in-us-us_-eu"), may: true },
    { rule: "passes probes to control", action: "sqs:SendMessage", resource: sqs("sys-control"), may: true },
    { rule: "dead-letters", action: "sqs:SendMessage", resource: sqs("sys-dead-letters"), may: true },
    { rule: "parks in its link's undelivered", action: "sqs:SendMessage", resource: sqs("sys-undelivered-us_-eu"), may: true },
    { rule: "reads views", action: "dynamodb:BatchGetItem", resource: brain, may: true },
    { rule: "counts", action: "dynamodb:UpdateItem", resource: brain, context: { "dynamodb:LeadingKeys": ["counter#shares"] }, may: true },
    { rule: "reads its signing key", action: "ssm:GetParameter", resource: key, may: true },
    { rule: "confirms the peer's subscriptions", action: "sns:ConfirmSubscription", resource: peerSns("t-prices"), may: true },
    { rule: "writes no view", action: "dynamodb:UpdateItem", resource: brain, context: { "dynamodb:LeadingKeys": ["view#"] }, may: false },
    { rule: "puts nothing", action: "dynamodb:PutItem", resource: brain, may: false },
    { rule: "claims", action: "dynamodb:PutItem", resource: audit, may: true },
    { rule: "takes claims over", action: "dynamodb:UpdateItem", resource: audit, may: true },
    { rule: "settles claims", action: "dynamodb:BatchWriteItem", resource: audit, may: true },
    { rule: "releases claims", action: "dynamodb:DeleteItem", resource: audit, may: true },
    { rule: "reads the claim that is in its way", action: "dynamodb:GetItem", resource: audit, may: true },
    { rule: "searches no claims", action: "dynamodb:Query", resource: audit, may: false },
    { rule: "claims nothing at a peer", action: "dynamodb:PutItem", resource: peerAudit, may: false },
    { rule: "takes no control events", action: "sqs:ReceiveMessage", resource: sqs("sys-control"), may: false },
    { rule: "takes nothing from the dead letters", action: "sqs:ReceiveMessage", resource: sqs("sys-dead-letters"), may: false },
    { rule: "makes no queue", action: "sqs:CreateQueue", resource: sqs("q-x"), context: ourTags("RequestTag"), may: false },
    { rule: "publishes no advisory", action: "sns:Publish", resource: sns("sys-advisory"), may: false },
    { rule: "publishes on no peer's topic", action: "sns:Publish", resource: peerSns("t-prices"), may: false },
    { rule: "reads no peer's table", action: "dynamodb:GetItem", resource: peerBrain, may: false },
    {
      rule: "reaches no queue of a broker whose id begins like its own",
      action: "sqs:SendMessage",
      resource: sqs("q-x").replace("-us-q", "-us2-q"),
      may: false,
    },
  ])("$rule: $may", ({ rule: _, may: expected, ...request }) => {
    expect(may("spanmq-orders-us-dispatch", request)).toBe(expected);
  });
});

describe("control", () => {
  const published = { "dynamodb:LeadingKeys": ["demand#3f"] };

  test.for<Row>([
    { rule: "takes control events", action: "sqs:ReceiveMessage", resource: sqs("sys-control"), may: true },
    { rule: "sends events to itself", action: "sqs:SendMessage", resource: sqs("sys-control"), may: true },
    { rule: "gives the peer hints", action: "sqs:SendMessage", resource: peerSqs("sys-control"), may: true },
    { rule: "probes through the peer's inbound", action: "sqs:SendMessage", resource: peerSqs("in-us-us_-eu"), may: true },
    { rule: "keeps the books", action: "dynamodb:PutItem", resource: brain, may: true },
    { rule: "forgets", action: "dynamodb:DeleteItem", resource: brain, may: true },
    { rule: "asks for the table's identity", action: "dynamodb:DescribeTable", resource: brain, may: true },
    { rule: "reads the peer's demand", action: "dynamodb:GetItem", resource: peerBrain, context: published, may: true },
    { rule: "makes a tagged queue", action: "sqs:CreateQueue", resource: sqs("q-orders-later"), context: ourTags("RequestTag"), may: true },
    { rule: "makes a client's queue", action: "sqs:TagQueue", resource: sqs("s-anything"), context: ourTags("RequestTag"), may: true },
    {
      rule: "removes what it made",
      action: "sqs:DeleteQueue",
      resource: sqs("q-orders-later"),
      context: ourTags("ResourceTag"),
      may: true,
    },
    { rule: "makes a tagged topic", action: "sns:CreateTopic", resource: sns("t-prices"), context: ourTags("RequestTag"), may: true },
    { rule: "subscribes on its topics", action: "sns:Subscribe", resource: sns("t-prices"), may: true },
    { rule: "lists who is subscribed to them", action: "sns:ListSubscriptionsByTopic", resource: sns("t-prices"), may: true },
    { rule: "tells SNS what to deliver", action: "sns:SetSubscriptionAttributes", resource: `${sns("t-prices")}:6f1c`, may: true },
    { rule: "unsubscribes", action: "sns:Unsubscribe", resource: `${sns("t-prices")}:6f1c`, may: true },
    { rule: "reads depths", action: "sqs:GetQueueAttributes", resource: sqs("q-orders-new"), may: true },
    { rule: "orders a drain pass", action: "lambda:InvokeFunction", resource: dispatch, may: true },
    { rule: "publishes advisories", action: "sns:Publish", resource: sns("sys-advisory"), may: true },
    { rule: "makes no queue without our tag", action: "sqs:CreateQueue", resource: sqs("q-orders-later"), may: false },
    {
      rule: "makes no queue beyond the prefix",
      action: "sqs:CreateQueue",
      resource: `arn:aws:sqs:us-east-1:${usAccount}:shop`,
      context: ourTags("RequestTag"),
      may: false,
    },
    {
      rule: "removes no queue that CloudFormation made",
      action: "sqs:DeleteQueue",
      resource: sqs("q-orders-new"),
      context: { "aws:ResourceTag/spanmq:broker": "us" },
      may: false,
    },
    {
      rule: "removes no part of the house",
      action: "sqs:DeleteQueue",
      resource: sqs("sys-ingress"),
      context: ourTags("ResourceTag"),
      may: false,
    },
    { rule: "removes no table", action: "dynamodb:DeleteTable", resource: brain, may: false },
    { rule: "claims nothing", action: "dynamodb:PutItem", resource: audit, may: false },
    {
      rule: "reads nothing else of the peer",
      action: "dynamodb:GetItem",
      resource: peerBrain,
      context: { "dynamodb:LeadingKeys": ["broker#"] },
      may: false,
    },
    { rule: "writes nothing at the peer", action: "dynamodb:PutItem", resource: peerBrain, context: published, may: false },
    { rule: "takes no message", action: "sqs:ReceiveMessage", resource: sqs("q-orders-new"), may: false },
    { rule: "signs its probes", action: "ssm:GetParameter", resource: key, may: true },
    { rule: "changes no signing key", action: "ssm:PutParameter", resource: key, may: false },
    { rule: "subscribes on no peer's topic", action: "sns:Subscribe", resource: peerSns("t-prices"), may: false },
  ])("$rule: $may", ({ rule: _, may: expected, ...request }) => {
    expect(may("spanmq-orders-us-control", request)).toBe(expected);
  });
});

describe("deployment", () => {
  test.for<Row>([
    { rule: "writes the configuration", action: "dynamodb:PutItem", resource: brain, may: true },
    { rule: "takes the audit's protection off", action: "dynamodb:UpdateTable", resource: audit, may: true },
    { rule: "writes no claim", action: "dynamodb:PutItem", resource: audit, may: false },
    { rule: "makes the signing key", action: "ssm:PutParameter", resource: key, may: true },
    { rule: "removes the signing key", action: "ssm:DeleteParameter", resource: key, may: true },
    { rule: "tells control", action: "sqs:SendMessage", resource: sqs("sys-control"), may: true },
    { rule: "touches no other parameter", action: "ssm:GetParameter", resource: key.replace("/us/", "/eu/"), may: false },
    { rule: "sends no message", action: "sqs:SendMessage", resource: sqs("q-orders-new"), may: false },
    { rule: "tells the peer that it closes", action: "sqs:SendMessage", resource: peerSqs("sys-control"), may: true },
    { rule: "sends nothing else there", action: "sqs:SendMessage", resource: peerSqs("in-us-us_-eu"), may: false },
    { rule: "lists queues", action: "sqs:ListQueues", resource: "*", may: true },
    { rule: "lists topics", action: "sns:ListTopics", resource: "*", may: true },
    { rule: "counts what is left in a door", action: "sqs:GetQueueAttributes", resource: sqs("in-eu-us_-eu"), may: true },
    { rule: "counts what is left in undelivered", action: "sqs:GetQueueAttributes", resource: sqs("sys-undelivered-us_-eu"), may: true },
    { rule: "counts what is left in a destination", action: "sqs:GetQueueAttributes", resource: sqs("q-orders-later"), may: true },
    { rule: "counts nothing at the peer", action: "sqs:GetQueueAttributes", resource: peerSqs("q-orders-new"), may: false },
    { rule: "takes no message", action: "sqs:ReceiveMessage", resource: sqs("q-orders-new"), may: false },
    { rule: "purges nothing", action: "sqs:PurgeQueue", resource: sqs("q-orders-new"), may: false },
    { rule: "reads a queue's tags", action: "sqs:ListQueueTags", resource: sqs("s-anything"), may: true },
    { rule: "reads a topic's tags", action: "sns:ListTagsForResource", resource: sns("t-prices"), may: true },
    {
      rule: "removes a queue that control made",
      action: "sqs:DeleteQueue",
      resource: sqs("q-orders-later"),
      context: ourTags("ResourceTag"),
      may: true,
    },
    {
      rule: "removes a client's queue",
      action: "sqs:DeleteQueue",
      resource: sqs("s-anything"),
      context: ourTags("ResourceTag"),
      may: true,
    },
    {
      rule: "removes a topic that control made",
      action: "sns:DeleteTopic",
      resource: sns("t-prices"),
      context: ourTags("ResourceTag"),
      may: true,
    },
    {
      rule: "removes no queue that CloudFormation made",
      action: "sqs:DeleteQueue",
      resource: sqs("q-orders-new"),
      context: { "aws:ResourceTag/spanmq:broker": "us" },
      may: false,
    },
    {
      rule: "removes no topic that CloudFormation made",
      action: "sns:DeleteTopic",
      resource: sns("t-prices"),
      context: { "aws:ResourceTag/spanmq:broker": "us" },
      may: false,
    },
    {
      rule: "removes no part of the house",
      action: "sqs:DeleteQueue",
      resource: sqs("sys-ingress"),
      context: ourTags("ResourceTag"),
      may: false,
    },
    {
      rule: "removes no queue of a broker whose id begins like its own",
      action: "sqs:DeleteQueue",
      resource: sqs("q-x").replace("-us-q", "-us2-q"),
      context: ourTags("ResourceTag"),
      may: false,
    },
    { rule: "takes the protection off its table", action: "dynamodb:UpdateTable", resource: brain, may: true },
    { rule: "changes no table of the peer", action: "dynamodb:UpdateTable", resource: peerBrain, may: false },
    { rule: "removes no table", action: "dynamodb:DeleteTable", resource: brain, may: false },
  ])("$rule: $may", ({ rule: _, may: expected, ...request }) => {
    expect(may("spanmq-orders-us-deployment", request)).toBe(expected);
  });
});
