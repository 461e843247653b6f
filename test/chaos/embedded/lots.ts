import { setTimeout as pause } from "node:timers/promises";
import type { Fates } from "../fates.ts";
import type { Lot } from "./mortal-functions.ts";
import { changeVisibility, isBatch } from "./sqs-by-hand.ts";

/** One in so many invocations. */
const [mortality, slowness] = [8, 10];
const mostCalls = 10;
/** Milliseconds: others take a batch meanwhile. Less than any call of a handler waits for its answer. */
const slow = 1_500;

/** Draws what befalls an invocation: it dies; or it is slow, and the visibility of its batch runs out. `sqs`: its address, past all faults. */
export const drawLot = (fate: Fates, sqs: string, event: unknown): Lot | undefined => {
  const afterCalls = Math.floor(fate.draw("after calls") * mostCalls);
  if (fate.strikes("crash", "invocation", mortality, event)) return { afterCalls, befalls: async () => "dies" };
  if (!isBatch(event) || fate.draw("slow") >= 1 / slowness) return undefined;
  const isSlow = async () => {
    const ended = await Promise.all(event.Records.map((record) => changeVisibility(sqs, record, 0)));
    if (ended.includes(true)) fate.struck("visibility runs out", "invocation", event);
    await pause(slow);
    return "goes on" as const;
  };
  return { afterCalls, befalls: isSlow };
};
