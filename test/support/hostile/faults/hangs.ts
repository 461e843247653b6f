import type { Fault } from "../fault.ts";

/** The call isn't done, and nothing is ever said. A poll hangs by its nature. */
export const hangs: Fault =
  ({ strikes }) =>
  async (call, next) =>
    call.action !== "ReceiveMessage" && strikes(call) ? "hangs" : next(call);
