import { expect, test } from "vitest";
import { awsResources } from "../../aws/resources.ts";
import { sendToQueue } from "../../aws/sends.ts";
import { snsSubscriptions } from "../../aws/subscriptions.ts";
import { useEmulatorWorlds } from "../support/worlds/emulator-world.ts";
import { openMemoryWorld } from "../support/worlds/memory-world.ts";
import { orderContract } from "./contracts/order.ts";
import { snsThat, sqsThat, unused, whereabouts } from "./fixtures.ts";

orderContract("memory queues and topics", openMemoryWorld);
orderContract("SQS queues and SNS topics (on fauxqs)", useEmulatorWorlds());

test("C05: a client's FIFO queue tells repeated sends by group, so that equal ids of two groups both arrive", async () => {
  const made: { readonly Attributes: object }[] = [];
  const sqs = sqsThat((input: { readonly Attributes: object }) => made.push(input) && {});
  await awsResources({ whereabouts, network: "net", sqs, sns: snsThat(unused) }).make({ make: "own-queue", queue: "c1.1.fifo" });
  expect(made[0]?.Attributes).toMatchObject({
    FifoQueue: "true",
    DeduplicationScope: "messageGroup",
    FifoThroughputLimit: "perMessageGroupId",
  });
});

test("a standard queue is made as such", async () => {
  const made: { readonly Attributes: object }[] = [];
  const sqs = sqsThat((input: { readonly Attributes: object }) => made.push(input) && {});
  await awsResources({ whereabouts, network: "net", sqs, sns: snsThat(unused) }).make({ make: "own-queue", queue: "c1.1" });
  expect(Object.keys(made[0]?.Attributes ?? {})).not.toContain("FifoQueue");
});

test("what a FIFO topic can't feed is kept in the ordered dead letters", async () => {
  const calls: object[] = [];
  const sns = snsThat((input: object) => calls.push(input) && { SubscriptionArn: "arn:aws:sns:us-east-1:000000000000:t:1" });
  await snsSubscriptions({ whereabouts, sns, peerSns: unused }).subscribe({ kind: "topic", name: "prices.fifo" }, { to: "feed" });
  const queue = (name: string) => `arn:aws:sqs:us-east-1:000000000000:spanmq-net-us-sys-${name}.fifo`;
  expect(calls).toEqual([
    {
      TopicArn: "arn:aws:sns:us-east-1:000000000000:spanmq-net-us-t-prices.fifo",
      Protocol: "sqs",
      Endpoint: queue("feed"),
      Attributes: { RedrivePolicy: JSON.stringify({ deadLetterTargetArn: queue("dead-letters") }) },
    },
  ]);
});

test("a message of a FIFO queue names its group and its id, and no fair-queue group", async () => {
  const calls: { readonly Entries: readonly object[] }[] = [];
  const sqs = sqsThat((input: { readonly Entries: readonly object[] }) => calls.push(input) && { Successful: [{ Id: "0" }] });
  const wire = { body: "x", attributes: {} };
  await sendToQueue(sqs, "https://sqs.us-east-1.amazonaws.com/1/q.fifo", [
    { wire, group: "fair", order: { group: "g", deduplicationId: "d" } },
  ]);
  expect(calls[0]?.Entries).toMatchObject([{ MessageGroupId: "g", MessageDeduplicationId: "d" }]);
});
