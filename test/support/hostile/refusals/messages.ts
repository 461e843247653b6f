import { type Call, type Entry, subjectOf } from "../call.ts";
import type { Fault } from "../fault.ts";
import { type EntryRefusal, passOthers, refusal } from "../refusal.ts";

/** Refuses single messages of calls of these kinds, batches or not. */
const refusing =
  (kinds: readonly string[], judge: (entry: Entry, call: Call) => EntryRefusal | undefined): Fault =>
  ({ isOn, fired }) =>
  async (call, next) => {
    if (!isOn() || !kinds.includes(call.action.replace(/Batch$/, ""))) return next(call);
    return passOthers(call, next, (entry) => {
      const refused = judge(entry, call);
      if (refused) fired();
      return refused;
    });
  };

const sendersFault = (Code: string, Message: string): EntryRefusal => ({ Code, Message, SenderFault: true });

export const fifoDelays: Fault = refusing(["SendMessage"], ({ DelaySeconds = 0 }, call) =>
  DelaySeconds > 0 && subjectOf(call).endsWith(".fifo")
    ? sendersFault("InvalidParameterValue", `Value ${DelaySeconds} for parameter DelaySeconds is invalid for this queue type.`)
    : undefined,
);

export const eleventhAttributes: Fault = refusing(["SendMessage"], ({ MessageAttributes = {} }) => {
  const count = Object.keys(MessageAttributes).length;
  return count > 10
    ? sendersFault("InvalidParameterValue", `Number of message attributes [${count}] exceeds the allowed maximum [10].`)
    : undefined;
});

/** An empty body isn't even a batch with a bad entry: the whole call is refused. */
export const emptyBodies: Fault =
  ({ isOn, fired }) =>
  async (call, next) => {
    const { action, input, service } = call;
    const isSend = /^(SendMessage|Publish)(Batch)?$/.test(action);
    const bodies = (input.Entries ?? [input]).map(({ MessageBody, Message }) => MessageBody ?? Message ?? "");
    if (!isOn() || !isSend || !bodies.includes("")) return next(call);
    fired();
    return service === "sns"
      ? refusal(call, "InvalidParameter", "Invalid parameter: Empty message")
      : refusal(call, "MissingParameter", "The request must contain the parameter MessageBody.");
  };

const attributeBytes = ({ MessageAttributes = {} }: Entry): number =>
  Object.entries(MessageAttributes).reduce(
    (sum, [name, { DataType = "", StringValue = "", BinaryValue = "" }]) =>
      sum + Buffer.byteLength(name + DataType + StringValue) + Buffer.byteLength(BinaryValue, "base64"),
    0,
  );

/** A topic's MaximumMessageSize, as it was made with. */
export const topicLimits: Fault = (tools) => {
  const limits = new Map<string, number>();
  const refuse = refusing(["Publish"], (entry, call) => {
    const limit = limits.get(subjectOf(call)) ?? 262_144;
    return Buffer.byteLength(entry.Message ?? "") + attributeBytes(entry) > limit
      ? sendersFault("InvalidParameter", "Invalid parameter: Message too long")
      : undefined;
  })(tools);
  return async (call, next) => {
    const { MaximumMessageSize: limit } = call.input.Attributes ?? {};
    if (call.action === "CreateTopic" && limit !== undefined) limits.set(subjectOf(call), Number(limit));
    return refuse(call, next);
  };
};
