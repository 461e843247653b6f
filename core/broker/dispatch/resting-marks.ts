import type { Counters } from "../../ports.ts";
import { restingCounter } from "../resting.ts";
import type { Laden } from "./carrying.ts";

/** After the hand-over to rest and before it is settled, so that control knows of every resting message. */
export const markResting = async (counters: Counters, loads: readonly Laden[]): Promise<void> => {
  const rested = loads.filter(({ plan }) => plan.plan === "rest");
  const byQueue = Map.groupBy(rested, ({ message }) => restingCounter({ to: "queue", destination: message.destination }));
  await Promise.all([...byQueue].map(([counter, copies]) => counters.add(counter, copies.length)));
};
