import { describe, expect, test } from "vitest";
import { judgeRequest, type Statement } from "../support/template/policy.ts";

const role = "arn:aws:iam::111111111111:role/shop";
const queue = "arn:aws:sqs:us-east-1:111111111111:q";
const allow: Statement = { Effect: "Allow", Action: "sqs:SendMessage", Resource: queue };
const toAccount = { AWS: "arn:aws:iam::111111111111:root" };

interface Row {
  readonly rule: string;
  readonly identity?: readonly Statement[];
  readonly resource?: readonly Statement[];
  readonly owner?: string;
  readonly verdict: string;
}

/** The tests of who may do what stand on this judge: so here is what it knows of IAM. */
describe("the judge of policies", () => {
  test.for<Row>([
    { rule: "nothing said is not allowed", verdict: "not allowed" },
    { rule: "in its own account a role needs no word of the resource", identity: [allow], verdict: "allowed" },
    {
      rule: "an account that the resource names still needs the role's own policy",
      resource: [{ ...allow, Principal: toAccount }],
      verdict: "not allowed",
    },
    { rule: "a foreign resource needs both", identity: [allow], owner: "222222222222", verdict: "not allowed" },
    {
      rule: "both said, a foreign resource is open",
      identity: [allow],
      resource: [{ ...allow, Principal: toAccount }],
      owner: "222222222222",
      verdict: "allowed",
    },
    {
      rule: "a denial beats every allowance",
      identity: [allow],
      resource: [{ ...allow, Effect: "Deny", Principal: "*" }],
      verdict: "denied",
    },
    {
      rule: "a denial of something else does nothing",
      identity: [allow],
      resource: [{ ...allow, Effect: "Deny", Principal: "*", Action: "sqs:PurgeQueue" }],
      verdict: "allowed",
    },
    {
      rule: "a wildcard covers what it covers",
      identity: [{ ...allow, Action: "sqs:Send*", Resource: `${queue.slice(0, -1)}*` }],
      verdict: "allowed",
    },
    {
      rule: "a condition that doesn't hold takes the statement away",
      identity: [{ ...allow, Condition: { StringEquals: { "aws:PrincipalArn": "other" } } }],
      verdict: "not allowed",
    },
    {
      rule: "a condition on an absent key doesn't hold",
      identity: [{ ...allow, Condition: { ArnLike: { "aws:SourceArn": "*" } } }],
      verdict: "not allowed",
    },
    {
      rule: "its negation on an absent key does",
      identity: [{ ...allow, Condition: { ArnNotLike: { "aws:SourceArn": "arn:aws:sns:*:*:*" } } }],
      verdict: "allowed",
    },
    {
      rule: "a wildcard in an ARN stays within its part",
      identity: [{ ...allow, Condition: { ArnLike: { "aws:PrincipalArn": "arn:aws:*:role/shop" } } }],
      verdict: "not allowed",
    },
  ])("$rule", ({ identity = [], resource = [], owner = "111111111111", verdict }) => {
    expect(judgeRequest({ caller: { role }, action: "sqs:SendMessage", resource: queue, owner }, identity, resource)).toBe(verdict);
  });

  test("a condition it doesn't know is an error, not a yes", () => {
    const odd: Statement = { ...allow, Condition: { DateLessThan: { "aws:CurrentTime": "2030-01-01" } } };
    expect(() => judgeRequest({ caller: { role }, action: "sqs:SendMessage", resource: queue, owner: "111111111111" }, [odd], [])).toThrow(
      /DateLessThan/,
    );
  });
});
