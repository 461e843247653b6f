import { laneOver } from "../../routing/lane.ts";
import type { LinkLane, Plan } from "../../routing/plan.ts";
import { aMoment } from "../looks.ts";
import { type OrderPorts, placeKey } from "../resting.ts";
import type { Planned } from "./planned.ts";
import { type Crossing, isUsedUp, type LimitsOf, takePlaces, windowOf } from "./rates.ts";

/**
 * Topic messages cross by their rate, too: what finds no place in its window, or others waiting for one, is parked for its link, whose
 * shelter is emptied window by window.
 */
export const pace = async (
  { brain, counters }: OrderPorts,
  planned: readonly Planned[],
  limitsOf: LimitsOf,
  now: number,
): Promise<readonly Planned[]> => {
  const crossings = planned.map(({ plan }) => crossingOf(plan, limitsOf));
  const windows = new Map(crossings.flatMap((one) => (one ? [[windowOf(one), one] as const] : [])));
  const behind = new Set<string>();
  await Promise.all(
    [...windows].map(async ([window, crossing]) => {
      const shelter = await brain.read("pass", "", placeKey(shelterOf(crossing)));
      if (shelter?.value.dueAt !== undefined && (await isUsedUp(counters, crossing, limitsOf, now))) behind.add(window);
    }),
  );
  const isBehind = (crossing: Crossing): boolean => behind.has(windowOf(crossing));
  const waits = await takePlaces(
    counters,
    crossings.map((one) => (one && isBehind(one) ? undefined : one)),
    limitsOf,
    now,
  );
  return planned.map((one, index) => {
    const crossing = crossings[index];
    const until = crossing && isBehind(crossing) ? now + aMoment : waits[index];
    return until === undefined ? one : { ...one, plan: { plan: "park", ...crossing, reason: "rate-limit", until } as Plan };
  });
};

const crossingOf = (plan: Plan, limitsOf: LimitsOf): Crossing | undefined => {
  if (plan.plan !== "hand-over" || plan.target.to !== "link" || limitsOf(plan.destination).rateLimit === 0) return undefined;
  return { link: plan.target.link, destination: plan.destination };
};

const shelterOf = ({ link, destination }: Crossing): { readonly to: "undelivered" } & LinkLane => ({
  to: "undelivered",
  ...laneOver(link, destination),
});
