import { setTimeout as pause } from "node:timers/promises";

/** Waits until it holds, a minute at most. */
export const until = async (holds: () => Promise<boolean>, what: string, everyMs = 25): Promise<void> => {
  const deadline = Date.now() + 60_000;
  while (!(await holds())) {
    if (Date.now() > deadline) throw new Error(`waited a minute in vain: ${what}`);
    await pause(everyMs);
  }
};
