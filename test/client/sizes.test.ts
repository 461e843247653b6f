import { PublishCommand } from "@aws-sdk/client-sns";
import { ReceiveMessageCommand } from "@aws-sdk/client-sqs";
import { describe, expect, test } from "vitest";
import { eventually } from "../support/eventually.ts";
import { twoRegions, useNetwork } from "./a-network.ts";

const { clients, connectTo } = useNetwork(twoRegions());

/** Room for the header that our client sends. */
const header = 1_024;
const largestInQueue = 1_016 * 1_024;
const largestInTopic = 240 * 1_024;

describe("C20: a message near the limit", () => {
  test("of a queue crosses whole; one above is refused where it is sent", async () => {
    const [us, eu] = [await connectTo("us"), await connectTo("eu")];
    const received: number[] = [];
    await eu.consume("queue://large", ({ text }) => void received.push(text.length));
    await eu.ready();
    await expect(us.send("large", "x".repeat(largestInQueue))).rejects.toThrow("send a reference to the data instead");
    await us.send("large", "x".repeat(largestInQueue - header));
    await eventually(() => received).toEqual([largestInQueue - header]);
  });

  test("of a topic crosses whole; one above is refused where it is published", async () => {
    const [us, eu] = [await connectTo("us"), await connectTo("eu")];
    const received: number[] = [];
    await eu.subscribe("topic://large", ({ text }) => void received.push(text.length));
    await eu.ready();
    await expect(us.publish("large", "x".repeat(largestInTopic))).rejects.toThrow("send a reference to the data instead");
    await us.publish("large", "x".repeat(largestInTopic - header));
    await eventually(() => received).toEqual([largestInTopic - header]);
  });

  test("that a plain producer's topic takes and the next one doesn't, for its header, stands in the dead letters there with its reason", async () => {
    const eu = await connectTo("eu");
    await eu.subscribe("topic://brimful", () => {});
    await eu.ready();
    const Message = "x".repeat(256 * 1_024); // what SNS takes when nobody set a lower limit: the emulator knows no other
    await clients("us").sns.send(new PublishCommand({ TopicArn: "arn:aws:sns:us-east-1:000000000000:spanmq-test-us-t-brimful", Message }));
    const buried = async () => {
      const { Messages = [] } = await clients("eu").sqs.send(
        new ReceiveMessageCommand({
          QueueUrl: "http://sqs/000000000000/spanmq-test-eu-sys-dead-letters",
          MessageAttributeNames: ["All"],
          VisibilityTimeout: 0,
        }),
      );
      return Messages.map(({ Body = "", MessageAttributes }) => [
        Body.length,
        JSON.parse(MessageAttributes?.["SpanMQ.deadLetter"]?.StringValue ?? "{}").reason,
      ]);
    };
    await eventually(buried).toEqual([[Message.length, "too-large"]]);
  });
});
