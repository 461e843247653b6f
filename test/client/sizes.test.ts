import { PublishCommand } from "@aws-sdk/client-sns";
import { GetQueueAttributesCommand, ReceiveMessageCommand, SendMessageCommand } from "@aws-sdk/client-sqs";
import { describe, expect, test, vi } from "vitest";
import type { ReceivedMessage } from "../../client/index.ts";
import { patiently } from "../support/eventually.ts";
import { twoRegions, useNetwork } from "./a-network.ts";

const { clients, connectTo, running } = useNetwork(twoRegions({ queues: ["straight"] }));

const largestInQueue = 1_016 * 1_024;
const largestInTopic = 240 * 1_024;
/** Room for the attribute of a plain producer. */
const attribute = 64;

/** What a refusal says of the size it refused. */
const bytesOf = async (refused: Promise<string>): Promise<number> => {
  const { message } = await refused.then(
    () => new Error("it was taken"),
    (refusal: Error) => refusal,
  );
  expect(message).toContain("send a reference to the data instead");
  return Number(/has (\d+) bytes/.exec(message)?.[1]);
};

/** Consumes in eu; answers the size of the first message that arrives. */
const consuming = async (destination: string) => {
  const eu = await connectTo("eu");
  const { promise: size, resolve } = Promise.withResolvers<number>();
  const take = ({ text }: ReceivedMessage) => resolve(text.length);
  await (destination.startsWith("topic") ? eu.subscribe(destination, take) : eu.consume(destination, take));
  await eu.ready();
  return { size };
};

const urlOf = (broker: string, queue: string): string => `http://sqs/000000000000/spanmq-test-${broker}-${queue}`;

/** A plain SDK's message of so many characters to a queue of us. */
const sendPlain = (queue: string, size: number, destination: string) =>
  clients("us").sqs.send(
    new SendMessageCommand({
      QueueUrl: urlOf("us", queue),
      MessageBody: "x".repeat(size),
      MessageAttributes: { destination: { DataType: "String", StringValue: destination } },
    }),
  );

describe.concurrent("C20: a message near the limit", () => {
  test.for([
    { destination: "queue://large", largest: largestInQueue },
    { destination: "topic://large", largest: largestInTopic },
  ])("of $destination crosses whole; one a byte larger is refused where it is sent", async ({ destination, largest }) => {
    const [us, { size }] = await Promise.all([connectTo("us"), consuming(destination)]);
    const send = (length: number) =>
      destination.startsWith("topic") ? us.publish(destination, "x".repeat(length)) : us.send(destination, "x".repeat(length));
    const header = (await bytesOf(send(largest))) - largest;
    expect(await bytesOf(send(largest - header + 1))).toBe(largest + 1);
    await send(largest - header);
    expect(await size).toBe(largest - header);
  });

  test("of ingress crosses whole, from a plain producer too; one above is refused where it is sent", async () => {
    const { size } = await consuming("queue://plain");
    await expect(sendPlain("sys-ingress", largestInQueue, "queue://plain")).rejects.toThrow("shorter than");
    await sendPlain("sys-ingress", largestInQueue - attribute, "queue://plain");
    expect(await size).toBe(largestInQueue - attribute);
  });

  test("that was sent straight to a queue crosses if its header has room; else it stays for who consumes here", async () => {
    const { size } = await consuming("queue://straight");
    await sendPlain("q-straight", 1_024 * 1_024 - attribute, "queue://straight");
    await sendPlain("q-straight", largestInQueue, "queue://straight");
    await running().tickNow("us");
    expect(await size).toBe(largestInQueue);
    const depth = new GetQueueAttributesCommand({ QueueUrl: urlOf("us", "q-straight"), AttributeNames: ["ApproximateNumberOfMessages"] });
    const standing = async () => (await clients("us").sqs.send(depth)).Attributes?.ApproximateNumberOfMessages;
    await vi.waitUntil(async () => (await standing()) === "1", patiently);
  });

  test("that a plain producer's topic takes and the next one doesn't, for its header, stands in the dead letters there with its reason", async () => {
    await consuming("topic://brimful");
    const Message = "x".repeat(256 * 1_024); // what SNS takes when nobody set a lower limit: the emulator knows no other
    await clients("us").sns.send(new PublishCommand({ TopicArn: "arn:aws:sns:us-east-1:000000000000:spanmq-test-us-t-brimful", Message }));
    const deadLetters = new ReceiveMessageCommand({
      QueueUrl: urlOf("eu", "sys-dead-letters"),
      MessageAttributeNames: ["All"],
      WaitTimeSeconds: 20,
    });
    const { Messages: [buried] = [] } = await clients("eu").sqs.send(deadLetters);
    expect(buried?.Body?.length).toBe(Message.length);
    expect(JSON.parse(buried?.MessageAttributes?.["SpanMQ.deadLetter"]?.StringValue ?? "{}").reason).toBe("too-large");
  });
});
