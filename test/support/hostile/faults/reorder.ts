import { isFifoName } from "../../../../core/destination/fifo.ts";
import { answering, isOutput, outputOf, subjectOf } from "../call.ts";
import type { Fault } from "../fault.ts";

/** A receive comes backwards, and its first message goes back to the queue: behind those that came after it. A FIFO queue keeps its order. */
export const reorder: Fault =
  ({ strikes, ask }) =>
  async (call, next) => {
    const fate = await next(call);
    if (call.action !== "ReceiveMessage" || isFifoName(subjectOf(call)) || !isOutput(fate)) return fate;
    const [first, ...others] = outputOf(call, fate).Messages ?? [];
    if (!first || others.length === 0 || !strikes(call)) return fate;
    const { QueueUrl = "" } = call.input;
    await ask("sqs", call.region, "ChangeMessageVisibility", { QueueUrl, ReceiptHandle: first.ReceiptHandle, VisibilityTimeout: 0 });
    return answering(call, { Messages: others.toReversed() });
  };
