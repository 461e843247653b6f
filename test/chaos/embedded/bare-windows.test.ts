import { expect, test } from "vitest";
import { answering, type Call, newCall } from "../../support/hostile/call.ts";
import { bareWindows } from "./bare-windows.ts";

const body = "embedded-bare.audited/3";
const event = { Records: [{ body: JSON.stringify({ text: body }) }, { body: "embedded-queue.audited/1" }] };
const QueueUrl = "http://sqs/000000000000/spanmq-chaos-eu-q-embedded_-bare-audited";

const open = () => {
  const opened: string[] = [];
  const windows = bareWindows((window, bodies) => opened.push(...bodies.map((one) => `${window} ${one}`)));
  return { windows, opened };
};
const by = (who: string, call: Call, attempt = 3): Call => ({ ...call, by: who, attempt, attempts: 3 });
const sends = newCall("sqs", "eu-west-1", "SendMessageBatch", { QueueUrl, Entries: [{ Id: "0", MessageBody: body }] });
const writes = newCall("dynamodb", "eu-west-1", "UpdateItem", {});

test.for<{ rule: string; fault: string; call: Call; windows: readonly string[] }>([
  { rule: "a lost answer to its send", fault: "lost-answers", call: by("eu-west-1.1", sends, 1), windows: [`accepted-unsettled ${body}`] },
  { rule: "a send that was throttled: none", fault: "throttling", call: by("eu-west-1.1", sends), windows: [] },
  { rule: "the last attempt to settle it", fault: "throttling", call: by("eu-west-1.1", writes), windows: [`settle-failed ${body}`] },
  { rule: "an attempt before that: none", fault: "throttling", call: by("eu-west-1.1", writes, 2), windows: [] },
  { rule: "a handler of another region: none", fault: "lost-answers", call: by("us-east-1.1", sends, 1), windows: [] },
  { rule: "a consumer's call: none", fault: "throttling", call: { ...writes, attempt: 3, attempts: 3 }, windows: [] },
])("windows that a fault opens: $rule", ({ fault, call, windows: expected }) => {
  const { windows, opened } = open();
  windows.struck(fault, call, event);
  expect(opened).toEqual(expected);
});

test("a handler's death opens one where the reader is", () => {
  const { windows, opened } = open();
  windows.died(event, "us-east-1.1");
  windows.died(event, "eu-west-1.2");
  expect(opened).toEqual([`accepted-unsettled ${body}`]);
});

test("a copy that its consumer gets again opens one, another message with the same body none", async () => {
  const { windows, opened } = open();
  const poll = (MessageId: string) => {
    const call = newCall("sqs", "eu-west-1", "ReceiveMessage", { QueueUrl });
    return windows.gate(call, async () => answering(call, { Messages: [{ MessageId, ReceiptHandle: "r", Body: body }] } as never));
  };
  for (const id of ["a", "b"]) await poll(id);
  expect(opened).toEqual([]);
  await poll("a");
  expect(opened).toEqual([`delivered-again ${body}`]);
});
