import { describe, expect, test } from "vitest";
import { sqsDepths } from "../../aws/depths.ts";
import { sqsRestingQueue } from "../../aws/resting-queue.ts";
import { useEmulatorWorlds } from "../support/worlds/emulator-world.ts";
import { openMemoryWorld } from "../support/worlds/memory-world.ts";
import { restContract } from "./contracts/rest.ts";
import { orders, sqsThat, whereabouts } from "./fixtures.ts";

restContract("memory queues", openMemoryWorld);
restContract("SQS queues", useEmulatorWorlds());

test.for([
  { rule: "as a number", RedrivePolicy: '{"deadLetterTargetArn":"arn","maxReceiveCount":5}' },
  { rule: "as text", RedrivePolicy: '{"deadLetterTargetArn":"arn","maxReceiveCount":"5"}' },
])("a reading says how often the queue lets a message be received, $rule", async ({ RedrivePolicy }) => {
  const sqs = sqsThat(() => ({ Attributes: { ApproximateNumberOfMessages: "2", RedrivePolicy } }));
  expect(await sqsDepths(whereabouts, sqs).read(orders)).toEqual({ visible: 2, all: 2, receiveLimit: 5 });
});

describe("resting queues", () => {
  test("a copy that couldn't be removed is said: it comes again", async () => {
    const sqs = sqsThat(() => ({ Failed: [{ Id: "0", Code: "InternalError" }] }));
    const resting = sqsRestingQueue({ whereabouts, sqs, visibilitySeconds: 60 });
    const copy = { ref: "1", id: "1", body: "x", attributes: {}, sentAt: 0, receiveCount: 1, receipt: "r" };
    await expect(resting.remove(orders, [copy])).rejects.toThrow("1 of 1 messages stay in queue://orders (InternalError)");
  });

  test("copies are held for as long as was asked, by long polls", async () => {
    const calls: unknown[] = [];
    const sqs = sqsThat((input) => calls.push(input) && {});
    await sqsRestingQueue({ whereabouts, sqs, visibilitySeconds: 60 }).receive(orders);
    expect(calls).toMatchObject([{ VisibilityTimeout: 60, WaitTimeSeconds: 1, MaxNumberOfMessages: 10 }]);
  });
});
