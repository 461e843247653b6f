import { answering, type Entry, entriesOf, isOutput, outputOf, withInput } from "../call.ts";
import type { Fault } from "../fault.ts";

/** A delete is answered, and its copy comes again all the same. */
export const afterDelete: Fault =
  ({ strikes, ask }) =>
  async (call, next) => {
    if (call.action !== "DeleteMessage" && call.action !== "DeleteMessageBatch") return next(call);
    const kept = entriesOf(call).filter(() => strikes(call));
    if (kept.length === 0) return next(call);
    const { QueueUrl = "", Entries } = call.input;
    const comeAgain = ({ ReceiptHandle = "" }: Entry) =>
      ask("sqs", call.region, "ChangeMessageVisibility", { QueueUrl, ReceiptHandle, VisibilityTimeout: 0 });
    await Promise.all(kept.map(comeAgain));
    if (!Entries) return answering(call, {});
    const left = Entries.filter((entry) => !kept.includes(entry));
    const answered = kept.map(({ Id }) => ({ Id }));
    if (left.length === 0) return answering(call, { Successful: answered });
    const fate = await next(withInput(call, { ...call.input, Entries: left }));
    if (!isOutput(fate)) return fate;
    const output = outputOf(call, fate);
    return answering(call, { ...output, Successful: [...(output.Successful ?? []), ...answered] });
  };
