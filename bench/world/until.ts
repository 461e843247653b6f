import { setTimeout as pause } from "node:timers/promises";

/** Waits until it holds, three minutes at most: the machine may be busy. */
export const until = async (holds: () => Promise<boolean>, what: string, everyMs = 25): Promise<void> => {
  const deadline = Date.now() + 180_000;
  while (!(await holds())) {
    if (Date.now() > deadline) throw new Error(`waited three minutes in vain: ${what}`);
    await pause(everyMs);
  }
};
