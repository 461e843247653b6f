import { isFifoName } from "../../../../core/destination/fifo.ts";
import { answering, type Call, isOutput, outputOf, subjectOf, withInput } from "../call.ts";
import type { Fault } from "../fault.ts";
import type { ReceivedCopy } from "../sns-wire.ts";

/** At once: the next poll of the queue gets the same copy while its first receiver is at work. */
export const twoHandlers: Fault = (tools) => handedOutAgain(tools, "second", 0);
/** Some seconds later, deleted or not: a server of SQS that hadn't heard of the delete. */
export const doubles: Fault = (tools) => handedOutAgain(tools, "double", 10_000);

/** A received copy comes again with another receipt, which stands for the same message. A FIFO queue gives none twice. */
const handedOutAgain = ({ strikes, now }: Parameters<Fault>[0], mark: string, after: number): ReturnType<Fault> => {
  const waiting = new Map<string, { readonly copy: ReceivedCopy; readonly at: number }[]>();
  const originals = new Map<string, string>();

  const again = (copy: ReceivedCopy): ReceivedCopy => {
    const ReceiptHandle = `${copy.ReceiptHandle}.${mark}`;
    originals.set(ReceiptHandle, copy.ReceiptHandle);
    const count = Number(copy.Attributes?.ApproximateReceiveCount ?? 1) + 1;
    return {
      ...copy,
      ReceiptHandle,
      ...(copy.Attributes && { Attributes: { ...copy.Attributes, ApproximateReceiveCount: String(count) } }),
    };
  };
  const dueFor = (queue: string, atMost: number): readonly ReceivedCopy[] => {
    const all = waiting.get(queue) ?? [];
    const due = all.filter(({ at }) => at <= now()).slice(0, atMost);
    waiting.set(
      queue,
      all.filter((one) => !due.includes(one)),
    );
    return due.map(({ copy }) => copy);
  };

  return async (call, next) => {
    if (call.service !== "sqs") return next(call);
    if (call.action !== "ReceiveMessage") return next(withReceipts(call, originals));
    const queue = subjectOf(call);
    if (isFifoName(queue)) return next(call);
    const { MaxNumberOfMessages = 1 } = call.input;
    const due = dueFor(queue, MaxNumberOfMessages);
    const room = MaxNumberOfMessages - due.length;
    if (room === 0) return answering(call, { Messages: due });
    const fate = await next(due.length === 0 ? call : withInput(call, { ...call.input, MaxNumberOfMessages: room, WaitTimeSeconds: 0 }));
    if (!isOutput(fate)) return fate;
    const { Messages = [] } = outputOf(call, fate);
    const struck = Messages.filter(() => strikes(call)).map((copy) => ({ copy: again(copy), at: now() + after }));
    waiting.set(queue, [...(waiting.get(queue) ?? []), ...struck]);
    return due.length === 0 ? fate : answering(call, { Messages: [...due, ...Messages] });
  };
};

const withReceipts = (call: Call, originals: ReadonlyMap<string, string>): Call => {
  const { input } = call;
  const original = <T extends { readonly ReceiptHandle?: string }>(entry: T): T => {
    const ReceiptHandle = originals.get(entry.ReceiptHandle ?? "");
    return ReceiptHandle === undefined ? entry : { ...entry, ReceiptHandle };
  };
  if (!input.ReceiptHandle && !input.Entries?.some(({ ReceiptHandle }) => ReceiptHandle)) return call;
  return withInput(call, { ...original(input), ...(input.Entries && { Entries: input.Entries.map(original) }) });
};
