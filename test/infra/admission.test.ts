import { describe, expect, test } from "vitest";
import { deployed } from "../support/template/deployed.ts";
import { euAccount, pair, stackOf, usAccount } from "../support/template/networks.ts";
import { type Caller, judgeRequest, type Statement } from "../support/template/policy.ts";

const operators = `arn:aws:iam::${euAccount}:role/operators`;
const eu = deployed(stackOf(pair, "eu", { operatorsRoleArn: operators }));

const role = (account: string, name: string): Caller => ({ role: `arn:aws:iam::${account}:role/${name}` });
const sns = { service: "sns.amazonaws.com" };
const usTopics = `arn:aws:sns:us-east-1:${usAccount}:spanmq-orders-us-t-`;
/** Whoever asks has leave of its own account: what is judged is the resource. */
const everything: readonly Statement[] = [{ Effect: "Allow", Action: "*", Resource: "*" }];

const judged = (caller: Caller, action: string, resource: string, context: Readonly<Record<string, string | readonly string[]>> = {}) =>
  judgeRequest({ caller, action, resource, owner: euAccount, context }, everything, eu.resourcePolicy(resource));

describe("who may send to the inbound of us → eu", () => {
  const inbound = `arn:aws:sqs:eu-west-1:${euAccount}:spanmq-orders-eu-in-us-us_-eu`;

  test.for<{ rule: string; caller: Caller; sourceArn?: string; verdict: string }>([
    { rule: "the peer's dispatch hands over", caller: role(usAccount, "spanmq-orders-us-dispatch"), verdict: "allowed" },
    { rule: "the peer's control sends probes", caller: role(usAccount, "spanmq-orders-us-control"), verdict: "allowed" },
    { rule: "the broker's own control sends", caller: role(euAccount, "spanmq-orders-eu-control"), verdict: "allowed" },
    { rule: "operators redrive by hand", caller: { role: operators }, verdict: "allowed" },
    { rule: "SNS delivers for a topic of the peer", caller: sns, sourceArn: `${usTopics}prices`, verdict: "allowed" },
    { rule: "another role of the peer's account is denied", caller: role(usAccount, "shop"), verdict: "denied" },
    {
      rule: "a role that begins with an admitted name is denied",
      caller: role(usAccount, "spanmq-orders-us-dispatcher"),
      verdict: "denied",
    },
    { rule: "the peer's deployment is denied", caller: role(usAccount, "spanmq-orders-us-deployment"), verdict: "denied" },
    {
      rule: "the admitted name in a third account is denied",
      caller: role("333333333333", "spanmq-orders-us-dispatch"),
      verdict: "denied",
    },
    { rule: "an administrator of the broker's own account is denied", caller: role(euAccount, "admin"), verdict: "denied" },
    { rule: "the broker's own dispatch is denied", caller: role(euAccount, "spanmq-orders-eu-dispatch"), verdict: "denied" },
    { rule: "SNS for a foreign topic is denied", caller: sns, sourceArn: `arn:aws:sns:us-east-1:${usAccount}:prices`, verdict: "denied" },
    {
      rule: "SNS for a topic of the right name in another account is denied",
      caller: sns,
      sourceArn: "arn:aws:sns:us-east-1:333333333333:spanmq-orders-us-t-prices",
      verdict: "denied",
    },
    {
      rule: "SNS for a topic of the right name in another region is denied",
      caller: sns,
      sourceArn: `arn:aws:sns:us-west-2:${usAccount}:spanmq-orders-us-t-prices`,
      verdict: "denied",
    },
    {
      rule: "SNS for the peer's advisories is denied",
      caller: sns,
      sourceArn: `arn:aws:sns:us-east-1:${usAccount}:spanmq-orders-us-sys-advisory`,
      verdict: "denied",
    },
    { rule: "SNS for no topic is denied", caller: sns, verdict: "denied" },
    {
      rule: "another service for a topic of the peer is not admitted",
      caller: { service: "events.amazonaws.com" },
      sourceArn: `${usTopics}prices`,
      verdict: "not allowed",
    },
  ])("$rule", ({ caller, sourceArn, verdict }) => {
    expect(judged(caller, "sqs:SendMessage", inbound, sourceArn === undefined ? {} : { "aws:SourceArn": sourceArn })).toBe(verdict);
  });

  test("nothing but sending is given to a peer", () => {
    expect(judged(role(usAccount, "spanmq-orders-us-dispatch"), "sqs:ReceiveMessage", inbound)).toBe("not allowed");
    expect(judged(role(usAccount, "spanmq-orders-us-dispatch"), "sqs:PurgeQueue", inbound)).toBe("not allowed");
  });

  test("even an admitted role needs an encrypted connection", () => {
    const plain = { "aws:SecureTransport": "false" };
    expect(judged(role(usAccount, "spanmq-orders-us-dispatch"), "sqs:SendMessage", inbound, plain)).toBe("denied");
  });

  test("without an operators' role there is none", () => {
    const closed = deployed(stackOf(pair, "eu"));
    const request = { caller: { role: operators }, action: "sqs:SendMessage", resource: inbound, owner: euAccount };
    expect(judgeRequest(request, everything, closed.resourcePolicy(inbound))).toBe("denied");
  });
});

describe("who may send to the house of eu", () => {
  const queue = (name: string) => `arn:aws:sqs:eu-west-1:${euAccount}:spanmq-orders-eu-${name}`;

  test.for([
    {
      rule: "a peer's deployment says that it closes",
      caller: role(usAccount, "spanmq-orders-us-deployment"),
      to: "sys-control",
      verdict: "allowed",
    },
    { rule: "a peer's control gives hints", caller: role(usAccount, "spanmq-orders-us-control"), to: "sys-control", verdict: "allowed" },
    {
      rule: "a peer's dispatch has nothing to tell control",
      caller: role(usAccount, "spanmq-orders-us-dispatch"),
      to: "sys-control",
      verdict: "not allowed",
    },
    {
      rule: "a client of the own account tells its presence, by leave of its own policy",
      caller: role(euAccount, "shop"),
      to: "sys-control",
      verdict: "allowed",
    },
    {
      rule: "a producer of the own account sends to ingress, by leave of its own policy",
      caller: role(euAccount, "shop"),
      to: "sys-ingress",
      verdict: "allowed",
    },
    {
      rule: "a producer of another account doesn't reach ingress",
      caller: role(usAccount, "shop"),
      to: "sys-ingress",
      verdict: "not allowed",
    },
    {
      rule: "a peer's dispatch reaches no queue but the inbound",
      caller: role(usAccount, "spanmq-orders-us-dispatch"),
      to: "q-plain-orders",
      verdict: "not allowed",
    },
    {
      rule: "a peer doesn't reach the dead letters",
      caller: role(usAccount, "spanmq-orders-us-control"),
      to: "sys-dead-letters",
      verdict: "not allowed",
    },
  ])("$rule", ({ caller, to, verdict }) => {
    expect(judged(caller, "sqs:SendMessage", queue(to))).toBe(verdict);
  });

  test("C10: what an own topic can't deliver goes to the link's undelivered, a foreign topic's doesn't", () => {
    const undelivered = queue("sys-undelivered-us_-eu");
    const of = (topic: string) => judged(sns, "sqs:SendMessage", undelivered, { "aws:SourceArn": topic });
    expect(of(`arn:aws:sns:eu-west-1:${euAccount}:spanmq-orders-eu-t-prices`)).toBe("allowed");
    expect(of(`arn:aws:sns:eu-west-1:${euAccount}:prices`)).toBe("not allowed");
  });
});

describe("who may publish advisories of eu", () => {
  const advisories = `arn:aws:sns:eu-west-1:${euAccount}:spanmq-orders-eu-sys-advisory`;

  test.for([
    { rule: "control does", caller: role(euAccount, "spanmq-orders-eu-control"), verdict: "allowed" },
    { rule: "an administrator is denied", caller: role(euAccount, "admin"), verdict: "denied" },
    { rule: "the broker's dispatch is denied", caller: role(euAccount, "spanmq-orders-eu-dispatch"), verdict: "denied" },
    { rule: "a peer's control is denied", caller: role(usAccount, "spanmq-orders-us-control"), verdict: "denied" },
    { rule: "a service is denied", caller: { service: "cloudwatch.amazonaws.com" }, verdict: "denied" },
  ])("$rule", ({ caller, verdict }) => {
    expect(judged(caller, "sns:Publish", advisories)).toBe(verdict);
  });

  test("anybody of the account may subscribe", () => {
    expect(judged(role(euAccount, "monitor"), "sns:Subscribe", advisories)).toBe("allowed");
  });
});

describe("who may read the table of eu from outside", () => {
  const table = `arn:aws:dynamodb:eu-west-1:${euAccount}:table/spanmq-orders-eu-sys-brain`;
  const control = role(usAccount, "spanmq-orders-us-control");

  test.for([
    {
      rule: "a peer's control reads an item of demand",
      caller: control,
      action: "dynamodb:GetItem",
      keys: ["demand#3f"],
      verdict: "allowed",
    },
    {
      rule: "a peer's control reads a bucket of demand",
      caller: control,
      action: "dynamodb:Query",
      keys: ["demand#3f"],
      verdict: "allowed",
    },
    {
      rule: "a peer's control reads the root and an item at once",
      caller: control,
      action: "dynamodb:BatchGetItem",
      keys: ["root#", "demand#3f"],
      verdict: "allowed",
    },
    { rule: "the broker item is not for peers", caller: control, action: "dynamodb:GetItem", keys: ["broker#"], verdict: "not allowed" },
    {
      rule: "one partition that isn't for peers refuses the whole call",
      caller: control,
      action: "dynamodb:BatchGetItem",
      keys: ["root#", "broker#"],
      verdict: "not allowed",
    },
    { rule: "a call without partitions is refused", caller: control, action: "dynamodb:Query", keys: [], verdict: "not allowed" },
    { rule: "a peer writes nothing", caller: control, action: "dynamodb:PutItem", keys: ["demand#3f"], verdict: "not allowed" },
    { rule: "a peer scans nothing", caller: control, action: "dynamodb:Scan", keys: ["demand#3f"], verdict: "not allowed" },
    {
      rule: "a peer's dispatch reads nothing",
      caller: role(usAccount, "spanmq-orders-us-dispatch"),
      action: "dynamodb:GetItem",
      keys: ["demand#3f"],
      verdict: "not allowed",
    },
    {
      rule: "another role of the peer's account reads nothing",
      caller: role(usAccount, "shop"),
      action: "dynamodb:GetItem",
      keys: ["demand#3f"],
      verdict: "not allowed",
    },
  ])("$rule", ({ caller, action, keys, verdict }) => {
    expect(judged(caller, action, table, keys.length === 0 ? {} : { "dynamodb:LeadingKeys": keys })).toBe(verdict);
  });
});
