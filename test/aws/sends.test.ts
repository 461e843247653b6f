import { SNSClient, SNSServiceException } from "@aws-sdk/client-sns";
import { SQSClient } from "@aws-sdk/client-sqs";
import { describe, expect, test } from "vitest";
import { oneAttempt, sqsIn } from "../../aws/clients.ts";
import { publishToTopic, sendToQueue } from "../../aws/sends.ts";
import { awsSetup } from "../../aws/setup.ts";
import { stubbed } from "../support/stub.ts";

interface BatchInput {
  readonly Entries: readonly { readonly Id: string; readonly MessageBody: string; readonly MessageGroupId?: string }[];
}
interface PublishInput {
  readonly PublishBatchRequestEntries: readonly { readonly Id: string; readonly Message: string }[];
}

const region = "eu-west-1";
const url = "https://sqs.eu-west-1.amazonaws.com/000000000000/q";
const numbered = (n: number) => Array.from({ length: n }, (_, i) => ({ wire: { body: `${i}`, attributes: {} } }));
const accepted = { answer: "accepted" };

describe("sending in batches", () => {
  test("C19: of ten messages two are refused, and exactly those are answered so", async () => {
    const failing = new Set(["3", "7"]);
    const sqs = stubbed(new SQSClient({ region, md5: false }), ({ Entries }: BatchInput) => ({
      Successful: Entries.filter(({ MessageBody }) => !failing.has(MessageBody)),
      Failed: Entries.filter(({ MessageBody }) => failing.has(MessageBody)).map(({ Id }) => ({
        Id,
        Code: "Throttling",
        SenderFault: true,
      })),
    }));
    const answers = await sendToQueue(sqs, url, numbered(10));
    expect(answers.flatMap(({ answer }, i) => (answer === "accepted" ? [] : [i]))).toEqual([3, 7]);
    expect(answers[3]).toMatchObject({ answer: "refused", cause: "throttled" });
  });

  test("a message over 1 MiB, its attributes included, is refused without a call", async () => {
    const uncalled = stubbed(new SQSClient({ region }), () => {
      throw new Error("nobody should call this");
    });
    const wire = { body: "x".repeat(1_048_576 - 8), attributes: { n: { type: "String", value: "12" } } };
    expect(await sendToQueue(uncalled, url, [{ wire }])).toMatchObject([{ answer: "refused", cause: "too-large" }]);
  });

  test("an entry that the answer doesn't name proves nothing", async () => {
    const sqs = stubbed(new SQSClient({ region, md5: false }), ({ Entries }: BatchInput) => ({ Successful: Entries.slice(1) }));
    expect(await sendToQueue(sqs, url, numbered(2))).toEqual([expect.objectContaining({ answer: "silent" }), accepted]);
  });

  test("a failed call is the answer of its own batch only", async () => {
    const sqs = stubbed(new SQSClient({ region, md5: false }), ({ Entries }: BatchInput) => {
      if (Entries[0]?.MessageBody === "0") throw Object.assign(new Error("socket hang up"), { code: "ECONNRESET" });
      return { Successful: Entries };
    });
    const answers = await sendToQueue(sqs, url, numbered(12));
    expect(answers.map(({ answer }) => answer)).toEqual([...Array(10).fill("silent"), "accepted", "accepted"]);
  });

  test("a sum that a topic finds too large judges none of its messages: each goes alone", async () => {
    const sns = stubbed(new SNSClient({ region }), ({ PublishBatchRequestEntries: entries }: PublishInput) => {
      const tooLong = entries.length > 1 || entries[0]?.Message === "1";
      if (tooLong) throw new SNSServiceException({ name: "BatchRequestTooLong", message: "", $fault: "client", $metadata: {} });
      return { Successful: entries };
    });
    const tooLarge = expect.objectContaining({ answer: "refused", cause: "too-large" });
    expect(await publishToTopic(sns, "arn:aws:sns:eu-west-1:000000000000:t", numbered(3))).toEqual([accepted, tooLarge, accepted]);
  });

  test.for([
    { rule: "a destination is a fair-queue group", group: "queue://orders.new", sent: "queue://orders.new" },
    { rule: "a group that SQS wouldn't take is left out", group: "queue://größe", sent: undefined },
    { rule: "so is one too long", group: "x".repeat(129), sent: undefined },
  ])("$rule", async ({ group, sent }) => {
    const groups: unknown[] = [];
    const sqs = stubbed(new SQSClient({ region, md5: false }), ({ Entries }: BatchInput) => {
      groups.push(...Entries.map(({ MessageGroupId }) => MessageGroupId));
      return { Successful: Entries };
    });
    await sendToQueue(sqs, url, [{ wire: { body: "x", attributes: {} }, group }]);
    expect(groups).toEqual([sent]);
  });

  test("a peer that can't be reached has refused", async () => {
    const setup = awsSetup({
      AWS_REGION: region,
      AWS_ENDPOINT_URL_SQS: "http://127.0.0.1:1",
      AWS_ACCESS_KEY_ID: "test",
      AWS_SECRET_ACCESS_KEY: "test",
    });
    const answers = await sendToQueue(sqsIn(setup, oneAttempt)(region), url, numbered(1));
    expect(answers).toMatchObject([
      { answer: "refused", cause: "other", why: expect.stringContaining("nothing answers at http://127.0.0.1:1") },
    ]);
  });
});
