import { answering } from "../call.ts";
import type { Fault } from "../fault.ts";
import { passOthers } from "../refusal.ts";

const failure = { Code: "InternalError", Message: "We encountered an internal error. Please try again.", SenderFault: false };

/** Entries of a batch call fail one by one; a batch of keys comes back unread, one of rows unwritten. */
export const partialFailures: Fault =
  ({ strikes }) =>
  async (call, next) => {
    const { action, input } = call;
    if (action === "BatchGetItem" && strikes(call))
      return answering(call, { Responses: {}, ...(input.RequestItems && { UnprocessedKeys: input.RequestItems }) });
    if (action === "BatchWriteItem" && strikes(call))
      return answering(call, { ...(input.RequestItems && { UnprocessedItems: input.RequestItems }) });
    if (!input.Entries) return next(call);
    return passOthers(call, next, () => (strikes(call) ? failure : undefined));
  };
