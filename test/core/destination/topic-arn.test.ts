import { describe, expect, test } from "vitest";
import { addressesOf } from "../../../core/destination/addresses.ts";
import { topicBehind } from "../../../core/destination/topic-arn.ts";
import { brokerId } from "../../../core/ids.ts";
import { sha256 } from "../../support/hash.ts";

const us = addressesOf("orders", { id: brokerId("us"), region: "us-east-1", account: "123456789012" }, sha256);

describe("the topic behind an ARN", () => {
  test.for([
    {
      rule: "an ARN of ours is the topic it names",
      arn: us.topicArn(us.topic("prices.eur")),
      expected: { kind: "topic", name: "prices.eur" },
    },
    { rule: "a topic of another broker is none of ours", arn: us.topicArn("spanmq-orders-eu-t-prices"), expected: undefined },
    { rule: "a topic of another network is none of ours", arn: us.topicArn("spanmq-other-us-t-prices"), expected: undefined },
    {
      rule: "our name in another account is none of ours",
      arn: `arn:aws:sns:us-east-1:999999999999:${us.topic("prices")}`,
      expected: undefined,
    },
    {
      rule: "our name in another region is none of ours",
      arn: `arn:aws:sns:eu-west-1:123456789012:${us.topic("prices")}`,
      expected: undefined,
    },
    { rule: "a queue is no topic", arn: us.topicArn(us.queue("prices")), expected: undefined },
    { rule: "the advisory topic is no destination", arn: us.topicArn(us.advisoryTopic), expected: undefined },
    { rule: "a name too long to read back is not guessed", arn: us.topicArn(us.topic("x".repeat(300))), expected: undefined },
    { rule: "any other text is none", arn: "", expected: undefined },
  ])("$rule", ({ arn, expected }) => {
    expect(topicBehind("orders", us, arn)).toEqual(expected);
  });
});
