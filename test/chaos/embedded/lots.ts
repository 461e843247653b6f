import { setTimeout as pause } from "node:timers/promises";
import type { Fates } from "../fates.ts";
import type { Lot } from "./mortal-functions.ts";
import { changeVisibility, isBatch } from "./sqs-by-hand.ts";

/** One in so many invocations. */
const [mortality, slowness] = [8, 10];
/** Calls of a batch, and those after its first hand-over. */
const [mostCalls, mostAfter] = [10, 6];
/** Milliseconds: others take a batch meanwhile. Less than any call of a handler waits for its answer. */
const slow = 1_500;

/** Draws what befalls an invocation: it dies; or it is slow, and the visibility of its batch runs out. `sqs`: its address, past all faults. */
export const drawLot = (fate: Fates, sqs: string, event: unknown): Lot | undefined => {
  const isDue = drawTime(fate.draw);
  if (fate.strikes("crash", "invocation", mortality, event)) return { isDue, befalls: async () => "dies" };
  if (!isBatch(event) || fate.draw("slow") >= 1 / slowness) return undefined;
  const isSlow = async () => {
    const ended = await Promise.all(event.Records.map((record) => changeVisibility(sqs, record, 0)));
    if (ended.includes(true)) fate.struck("visibility runs out", "invocation", event);
    await pause(slow);
    return "goes on" as const;
  };
  return { isDue, befalls: isSlow };
};

/** Any time, or right after it handed over for the first time or a little later: what is unsettled then is what matters most. */
const drawTime = (draw: Fates["draw"]): Lot["isDue"] => {
  const isAnyTime = draw("any time") < 0.5;
  const calls = Math.floor(draw("after calls") * (isAnyTime ? mostCalls : mostAfter));
  return (done) => {
    const handedOver = done.findIndex((action) => /^(SendMessage|Publish)/.test(action));
    return isAnyTime ? done.length === calls : handedOver >= 0 && done.length === handedOver + 1 + calls;
  };
};
