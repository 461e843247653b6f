import { isOutput, outputOf, subjectOf } from "../call.ts";
import type { Fault } from "../fault.ts";
import { passOthers } from "../refusal.ts";

const invalid = { Code: "ReceiptHandleIsInvalid", Message: "The input receipt handle is invalid.", SenderFault: true };

/** A receipt that this queue never gave. */
export const badReceipts: Fault = ({ isOn, fired }) => {
  const given = new Map<string, Set<string>>();
  return async (call, next) => {
    const queue = subjectOf(call);
    if (/^(DeleteMessage|ChangeMessageVisibility)(Batch)?$/.test(call.action) && isOn())
      return passOthers(call, next, ({ ReceiptHandle = "" }) => {
        if (given.get(queue)?.has(ReceiptHandle)) return undefined;
        fired();
        return invalid;
      });
    const fate = await next(call);
    if (call.action !== "ReceiveMessage" || !isOutput(fate)) return fate;
    const receipts = given.get(queue) ?? new Set();
    given.set(queue, receipts);
    for (const { ReceiptHandle } of outputOf(call, fate).Messages ?? []) receipts.add(ReceiptHandle);
    return fate;
  };
};
