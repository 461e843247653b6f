import { setTimeout as pause } from "node:timers/promises";
import { type Entry, entriesOf } from "../call.ts";
import type { Fault } from "../fault.ts";

/** Milliseconds of ours: who polls has the copy by then. */
const late = 300;

/** A copy's visibility ran out before its handler deletes it: whoever polls has it again, with another receipt, and this delete is too late. */
export const lateDeletes: Fault =
  ({ strikes, ask }) =>
  async (call, next) => {
    if (call.action !== "DeleteMessage" && call.action !== "DeleteMessageBatch") return next(call);
    const over = entriesOf(call).filter(() => strikes(call));
    if (over.length === 0) return next(call);
    const { QueueUrl = "" } = call.input;
    const comeAgain = ({ ReceiptHandle = "" }: Entry) =>
      ask("sqs", call.region, "ChangeMessageVisibility", { QueueUrl, ReceiptHandle, VisibilityTimeout: 0 });
    await Promise.all(over.map(comeAgain));
    await pause(late);
    return next(call);
  };
