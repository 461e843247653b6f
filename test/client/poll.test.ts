import { type ChangeMessageVisibilityBatchRequest, type DeleteMessageBatchRequest, SQSClient } from "@aws-sdk/client-sqs";
import { expect, test } from "vitest";
import { poll, type Taken } from "../../client/poll.ts";
import { stubbed } from "../support/stub.ts";

type Input = Partial<DeleteMessageBatchRequest & ChangeMessageVisibilityBatchRequest> & { readonly MaxNumberOfMessages?: number };

/** Polls once, and takes each message by its body. */
const pollOnce = async (takes: Readonly<Record<string, Taken>>) => {
  const calls: Input[] = [];
  const stop = new AbortController();
  const sqs = stubbed(new SQSClient({ region: "us-east-1", md5: false }), (input: Input) => {
    if (input.MaxNumberOfMessages === undefined) return calls.push(input) && {};
    if (stop.signal.aborted) throw new Error("stopped");
    queueMicrotask(() => stop.abort());
    return { Messages: Object.keys(takes).map((Body) => ({ Body, MessageId: Body, ReceiptHandle: `receipt of ${Body}` })) };
  });
  const take = async ({ body }: { readonly body: string }) => takes[body] ?? "again";
  await poll({ sqs, url: "http://sqs/1/q", max: 10, take, onProblem: () => {}, signal: stop.signal });
  return calls.map(({ Entries = [] }) => Entries.map(({ ReceiptHandle, ...entry }) => [ReceiptHandle, entry]));
};

test("what is done is deleted, what fails is left alone, what is for later comes when it is said", async () => {
  expect(await pollOnce({ a: "done", b: "again", c: { later: 64_001 }, d: "done", e: { later: 7 * 86_400_000 } })).toEqual([
    [
      ["receipt of c", { Id: "0", VisibilityTimeout: 65 }],
      ["receipt of e", { Id: "1", VisibilityTimeout: 43_200 }],
    ],
    [
      ["receipt of a", { Id: "0" }],
      ["receipt of d", { Id: "1" }],
    ],
  ]);
});

test("nothing is asked of SQS where there is nothing to say", async () => {
  expect(await pollOnce({ a: "again" })).toEqual([]);
});
