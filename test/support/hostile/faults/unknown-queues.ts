import { isOutput, subjectOf } from "../call.ts";
import type { Fault } from "../fault.ts";
import { refusal } from "../refusal.ts";

/** By the wall's clock: who waits for a queue looks by it too. */
const unknownFor = 1_000;

/** A new queue isn't known to SQS's other servers for a second. */
export const unknownQueues: Fault = ({ draws, fired }) => {
  const knownFrom = new Map<string, number>();
  return async (call, next) => {
    if (call.service !== "sqs") return next(call);
    const queue = subjectOf(call);
    if (call.action === "CreateQueue") {
      const isNew = !knownFrom.has(queue);
      const fate = await next(call);
      if (isNew && isOutput(fate)) knownFrom.set(queue, draws(call) ? Date.now() + unknownFor : 0);
      return fate;
    }
    if (Date.now() >= (knownFrom.get(queue) ?? 0)) return next(call);
    fired();
    return refusal(call, "QueueDoesNotExist", "The specified queue does not exist.");
  };
};
