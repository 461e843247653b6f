import type { Counters } from "../../ports.ts";
import type { DrainedPlace } from "../../routing/plan.ts";
import { restingCounter } from "../resting.ts";
import type { Laden } from "./carrying.ts";
import { targetOf } from "./handing-over.ts";

/** After the hand-over to rest and before it is settled, so that control knows of every resting message, and dispatch of a FIFO link's parked ones. */
export const markResting = async (counters: Counters, loads: readonly Laden[]): Promise<void> => {
  const counted = loads.flatMap(({ plan, message }) => {
    const place = targetOf(plan, message);
    const rests = plan.plan === "rest" || plan.plan === "dead-letter";
    const isCounted = rests ? place.to === "queue" : place.to === "undelivered" && place.fifo;
    return isCounted ? [restingCounter(place as DrainedPlace)] : [];
  });
  const byPlace = Map.groupBy(counted, (counter) => counter);
  await Promise.all([...byPlace].map(([counter, copies]) => counters.add(counter, copies.length)));
};
