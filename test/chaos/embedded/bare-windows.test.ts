import { expect, test } from "vitest";
import { type Answer, answering, type Call, type Fate, newCall } from "../../support/hostile/call.ts";
import { bareWindows } from "./bare-windows.ts";

const body = "embedded-bare.audited/3";
const other = "embedded-queue.audited/1";
const event = {
  Records: [
    { messageId: "id-1", body: JSON.stringify({ text: body }) },
    { messageId: "id-2", body: other },
  ],
};
const QueueUrl = "http://sqs/000000000000/spanmq-chaos-eu-q-embedded_-bare-audited";
const refusal: Answer = { status: 400, headers: {}, body: "{}" };

const open = () => {
  const opened: string[] = [];
  const windows = bareWindows((window, bodies) => opened.push(...bodies.map((one) => `${window} ${one}`)));
  const handler = (by: string, at: unknown = event) => {
    const calls = (call: Call, fate: Fate) => windows.met({ ...call, by }, fate, at);
    const sends = newCall("sqs", "eu-west-1", "SendMessageBatch", { QueueUrl, Entries: [{ Id: "0", MessageBody: body }] });
    const item = (id: string, outcome = "done") => ({
      PutRequest: { Item: { claim: { S: `inbound|queue://q||${id}` }, outcome: { S: outcome } } },
    });
    const writes = (RequestItems: Readonly<Record<string, unknown>>) =>
      newCall("dynamodb", "eu-west-1", "BatchWriteItem", { RequestItems });
    return {
      sends: (fate: Fate = answering(sends, {})) => calls(sends, fate),
      settles: (id: string, fate: Fate = answering(writes({}), {})) => calls(writes({ audit: [item(id)] }), fate),
      leavesUnwritten: (id: string) =>
        calls(writes({ audit: [item(id)] }), answering(writes({}), { UnprocessedItems: { audit: [item(id)] } })),
      dies: () => windows.died(at, by),
    };
  };
  return { windows, opened, handler };
};
type Handler = ReturnType<ReturnType<typeof open>["handler"]>;

test.for<{ rule: string; by?: string; works: (handler: Handler) => void; expected: readonly string[] }>([
  { rule: "a lost answer to its send", works: ({ sends }) => sends("lost"), expected: ["accepted-unsettled"] },
  { rule: "a death after its send", works: ({ sends, dies }) => [sends(), dies()], expected: ["accepted-unsettled"] },
  { rule: "a death while it is sent", works: ({ sends, dies }) => [dies(), sends()], expected: ["accepted-unsettled"] },
  { rule: "a death before its send: none", works: ({ dies }) => dies(), expected: [] },
  { rule: "a death after its send was refused: none", works: ({ sends, dies }) => [sends(refusal), dies()], expected: [] },
  { rule: "a death after its send hung, and wasn't done: none", works: ({ sends, dies }) => [sends("hangs"), dies()], expected: [] },
  { rule: "a death after its settle: none", works: ({ sends, settles, dies }) => [sends(), settles("id-1"), dies()], expected: [] },
  { rule: "a settle whose answer is lost: none", works: ({ sends, settles }) => [sends(), settles("id-1", "lost")], expected: [] },
  { rule: "a settle that fails", works: ({ sends, settles }) => [sends(), settles("id-1", refusal)], expected: ["settle-failed"] },
  {
    rule: "a settle that fails, and then doesn't: none",
    works: ({ sends, settles }) => [sends(), settles("id-1", refusal), settles("id-1")],
    expected: [],
  },
  {
    rule: "a settle that is left unwritten",
    works: ({ sends, leavesUnwritten }) => [sends(), leavesUnwritten("id-1")],
    expected: ["settle-failed"],
  },
  { rule: "only another's settle", works: ({ sends, settles }) => [sends(), settles("id-2")], expected: ["settle-failed"] },
  { rule: "a settle that fails without a send: none", works: ({ settles }) => settles("id-1", refusal), expected: [] },
  {
    rule: "a handler of another region: none",
    by: "us-east-1.1",
    works: ({ sends, dies }) => [sends("lost"), sends(), dies()],
    expected: [],
  },
])("windows that open for what is sent to the reader's queue: $rule", ({ by = "eu-west-1.1", works, expected }) => {
  const { windows, handler, opened } = open();
  works(handler(by));
  windows.end();
  expect(opened).toEqual(expected.map((window) => `${window} ${body}`));
});

test("a handler's death opens none for what another one sent", () => {
  const { handler, opened } = open();
  handler("eu-west-1.1").sends();
  handler("eu-west-1.2", { Records: [...event.Records] }).dies();
  expect(opened).toEqual([]);
});

test("a copy that its consumer gets again opens one; another message with the same body, and a copy that a pass gets again none", () => {
  const { windows, opened } = open();
  const poll = (MessageId: string, by?: string) => {
    const call = { ...newCall("sqs", "eu-west-1", "ReceiveMessage", { QueueUrl }), ...(by !== undefined && { by }) };
    windows.met(call, answering(call, { Messages: [{ MessageId, ReceiptHandle: "r", Body: body }] } as never), undefined);
  };
  for (const id of ["a", "b"]) poll(id);
  poll("a", "us-east-1.1");
  expect(opened).toEqual([]);
  poll("a");
  expect(opened).toEqual([`delivered-again ${body}`]);
});
