import { Role, ServicePrincipal } from "aws-cdk-lib/aws-iam";
import { expect, test } from "vitest";
import { deployed } from "../support/template/deployed.ts";
import { euAccount, pair, stackOf } from "../support/template/networks.ts";
import { judgeRequest } from "../support/template/policy.ts";

const line = { destination: "topic://prices", clientID: "billing", subscriptionName: "audit" };
const stack = stackOf({ ...pair, brokers: { ...pair.brokers, eu: { region: "eu-west-1", account: euAccount, consumers: [line] } } }, "eu");
const [declared] = stack.durableSubscriptions;
const reader = new Role(stack, "Reader", { roleName: "reader", assumedBy: new ServicePrincipal("lambda.amazonaws.com") });
declared?.grantConsume(reader);
const eu = deployed(stack);

const queue = `arn:aws:sqs:eu-west-1:${euAccount}:spanmq-orders-eu-s-durable-billing-audit-prices`;
const topicOf = (name: string) => ({ "aws:SourceArn": `arn:aws:sns:eu-west-1:${euAccount}:${name}` });
const deliver = (context: Record<string, string>) =>
  judgeRequest(
    { caller: { service: "sns.amazonaws.com" }, action: "sqs:SendMessage", resource: queue, owner: euAccount, context },
    [{ Effect: "Allow", Action: "*", Resource: "*" }],
    eu.resourcePolicy(queue),
  );

test("a declared durable subscription's queue takes what own topics deliver, and nobody else's", () => {
  expect(declared?.key).toEqual({ clientID: "billing", subscriptionName: "audit" });
  expect(deliver(topicOf("spanmq-orders-eu-t-prices"))).toBe("allowed");
  expect(deliver(topicOf("prices"))).toBe("not allowed");
});

test("its reader may take from it, and from no other", () => {
  const caller = { role: `arn:aws:iam::${euAccount}:role/reader` };
  const take = (resource: string) =>
    judgeRequest({ caller, action: "sqs:ReceiveMessage", resource, owner: euAccount, context: {} }, eu.identityPolicy("reader"), []);
  expect(take(queue)).toBe("allowed");
  expect(take(`${queue}-2`)).toBe("not allowed");
});
