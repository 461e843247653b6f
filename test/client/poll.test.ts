import { type ChangeMessageVisibilityBatchRequest, type DeleteMessageBatchRequest, SQSClient } from "@aws-sdk/client-sqs";
import { describe, expect, test } from "vitest";
import { poll, type Taken } from "../../client/poll.ts";
import { stubbed } from "../support/stub.ts";

type Input = Partial<DeleteMessageBatchRequest & ChangeMessageVisibilityBatchRequest> & { readonly MaxNumberOfMessages?: number };

interface Polling {
  /** The queue is FIFO: a message's group is the first letter of its body. */
  readonly fifo?: boolean;
  /** Bodies of what SQS doesn't delete. */
  readonly undeletable?: readonly string[];
  /** When the consumer is told to stop. */
  readonly until?: string;
  /** Milliseconds that each message takes. */
  readonly each?: number;
}

/** Polls once, and takes each message by its body. */
const pollOnce = async (
  takes: Readonly<Record<string, Taken | Promise<Taken>>>,
  { fifo = false, undeletable = [], until, each = 0 }: Polling = {},
) => {
  const calls: Input[] = [];
  const handled: string[] = [];
  const stop = new AbortController();
  let [polls, now] = [0, 0];
  const isKept = ({ ReceiptHandle = "" }) => undeletable.some((body) => ReceiptHandle.endsWith(` ${body}`));
  const sqs = stubbed(new SQSClient({ region: "us-east-1", md5: false }), (input: Input) => {
    if (input.MaxNumberOfMessages === undefined) {
      const isDelete = input.Entries?.some((entry) => !("VisibilityTimeout" in entry));
      return calls.push(input) && { Failed: isDelete ? input.Entries?.filter(isKept).map(({ Id }) => ({ Id, Message: "no" })) : [] };
    }
    if (++polls > 1) {
      stop.abort();
      throw new Error("stopped");
    }
    const Attributes = (body: string) => (fifo ? { SequenceNumber: "1", MessageGroupId: body.slice(0, 1) } : {});
    return {
      Messages: Object.keys(takes).map((Body) => ({
        ...{ Body, MessageId: Body, ReceiptHandle: `receipt of ${Body}`, Attributes: Attributes(Body) },
      })),
    };
  });
  const take = async ({ body }: { readonly body: string }) => {
    handled.push(body);
    now += each;
    if (body === until) stop.abort();
    return takes[body] ?? "again";
  };
  await poll({
    sqs,
    url: "http://sqs/1/q",
    max: 10,
    take,
    onProblem: () => {},
    onMissing: () => {},
    signal: stop.signal,
    clock: () => now,
  });
  const told = calls.map(({ Entries = [] }) => Entries.map(({ ReceiptHandle, ...entry }) => [ReceiptHandle, entry]));
  const receipts = (isWanted: (entry: object) => boolean) =>
    calls
      .map(({ Entries = [] }) => Entries.filter(isWanted).map(({ ReceiptHandle }) => ReceiptHandle?.slice("receipt of ".length)))
      .filter(({ length }) => length > 0);
  return {
    told,
    handled,
    deleted: receipts((entry) => !("VisibilityTimeout" in entry)),
    givenBack: receipts((entry) => "VisibilityTimeout" in entry && entry.VisibilityTimeout === 0).flat(),
  };
};

test("what is done is deleted, what fails is left alone, what is for later comes when it is said", async () => {
  const { told } = await pollOnce({ a: "done", b: "again", c: { later: 64_001 }, d: "done", e: { later: 7 * 86_400_000 } });
  expect(told).toEqual([
    [
      ["receipt of a", { Id: "0" }],
      ["receipt of d", { Id: "1" }],
    ],
    [
      ["receipt of c", { Id: "0", VisibilityTimeout: 65 }],
      ["receipt of e", { Id: "1", VisibilityTimeout: 43_200 }],
    ],
  ]);
});

test("C26 nothing is asked of SQS where a handler failed: the message stays hidden for its queue's visibility timeout, no less", async () => {
  expect((await pollOnce({ a: "again" })).told).toEqual([]);
});

describe("of a FIFO queue", () => {
  const groups = { a1: "done", b1: "done", a2: "done", b2: "done", c1: "done", a3: "done" } as const;

  test("each group is taken in its order, each message deleted before the next is begun; groups go side by side", async () => {
    const { handled, deleted, givenBack } = await pollOnce(groups, { fifo: true });
    expect(handled).toEqual(["a1", "b1", "c1", "a2", "b2", "a3"]);
    expect(deleted).toEqual([["a1", "b1", "c1"], ["a2", "b2"], ["a3"]]);
    expect(givenBack).toEqual([]);
  });

  test.for<{ rule: string; takes: Readonly<Record<string, Taken>>; undeletable?: readonly string[] }>([
    { rule: "C06: one that fails", takes: { ...groups, a2: "again" } },
    { rule: "one that is for later", takes: { ...groups, a2: { later: 5_000 } } },
    { rule: "one that SQS doesn't delete", takes: groups, undeletable: ["a2"] },
  ])("$rule ends its group: what stands behind it is given back untouched, other groups go on", async ({ takes, undeletable = [] }) => {
    const { handled, givenBack } = await pollOnce(takes, { fifo: true, undeletable });
    expect(handled).toEqual(["a1", "b1", "c1", "a2", "b2"]);
    expect(givenBack).toEqual(["a3"]);
  });

  test("what would be begun after ten seconds comes again first, with the whole of its visibility timeout", async () => {
    const { handled, givenBack } = await pollOnce({ a1: "done", a2: "done", a3: "done", a4: "done" }, { fifo: true, each: 5_000 });
    expect(handled).toEqual(["a1", "a2", "a3"]);
    expect(givenBack).toEqual(["a4"]);
  });

  test("a consumer that is told to stop finishes what it has begun and gives the rest back", async () => {
    const { handled, deleted, givenBack } = await pollOnce(groups, { fifo: true, until: "b1" });
    expect(handled).toEqual(["a1", "b1", "c1"]);
    expect(deleted).toEqual([["a1", "b1", "c1"]]);
    expect(givenBack).toEqual(["a2", "b2", "a3"]);
  });
});
