import { isOutput, outputOf } from "../call.ts";
import type { Fault } from "../fault.ts";

/** The call is done, and the connection breaks before its answer. A poll that found nothing has nothing to lose. */
export const lostAnswers: Fault =
  ({ strikes }) =>
  async (call, next) => {
    const fate = await next(call);
    if (!isOutput(fate)) return fate;
    if (call.action === "ReceiveMessage" && !outputOf(call, fate).Messages?.length) return fate;
    return strikes(call) ? "lost" : fate;
  };
