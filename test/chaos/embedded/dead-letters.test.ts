import type { SQSRecord } from "aws-lambda";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type Emulators, startEmulators } from "../../../local/emulators.ts";
import { deadLetters } from "./dead-letters.ts";
import { call, changeVisibility, placeOf } from "./sqs-by-hand.ts";

const source = "arn:aws:sqs:us-east-1:000000000000:spanmq-chaos-us-sys-ingress";
const letters = "arn:aws:sqs:us-east-1:000000000000:spanmq-chaos-us-sys-dead-letters";
const MessageAttributes = { destination: { DataType: "String", StringValue: "queue://orders" } };

let emulators: Emulators;
beforeAll(async () => {
  emulators = await startEmulators();
  for (const arn of [source, letters]) await call(emulators.sqs, "CreateQueue", placeOf(arn), { QueueName: arn.split(":").at(-1) ?? "" });
});
afterAll(() => emulators?.stop());

const take = async (arn: string) => {
  const { body } = await call(emulators.sqs, "ReceiveMessage", placeOf(arn), { MaxNumberOfMessages: 10, ...everything });
  const messages: { readonly Body: string; readonly ReceiptHandle: string; readonly MessageAttributes: object }[] =
    JSON.parse(body).Messages ?? [];
  return messages;
};
const everything = { MessageAttributeNames: ["All"], VisibilityTimeout: 60 };

test("what was in a dead handler's hand goes to the dead letters, and comes back as it was; what wasn't stays where it is", async () => {
  for (const MessageBody of ["held", "let go"])
    await call(emulators.sqs, "SendMessage", placeOf(source), { MessageBody, MessageAttributes });
  const Records = (await take(source)).map(
    ({ Body, ReceiptHandle }) =>
      ({
        messageId: `id of ${Body}`,
        eventSourceARN: source,
        body: Body,
        receiptHandle: ReceiptHandle,
        messageAttributes: { destination: { dataType: "String", stringValue: "queue://orders" } },
      }) as unknown as SQSRecord,
  );
  await changeVisibility(emulators.sqs, Records[1] as SQSRecord, 0);
  const moved: string[] = [];
  const { giveUp, moveBack } = deadLetters(
    () => emulators.sqs,
    (from, { MessageBody }, id) => moved.push(`${MessageBody} to ${from}, ${id}`),
  );
  giveUp({ Records }, () => true);
  await moveBack();
  expect(moved).toEqual([`held to ${source}, id of held`]);
  const there = await take(source);
  expect(there.map(({ Body }) => Body).toSorted()).toEqual(["held", "let go"]);
  expect(there).toMatchObject([{ MessageAttributes }, { MessageAttributes }]);
  expect(await take(letters)).toEqual([]);
});
