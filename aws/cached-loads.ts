import { placeKey } from "../core/broker/resting.ts";
import type { Depths, Loads } from "../core/ports.ts";
import type { RestingPlace } from "../core/routing/plan.ts";

/**
 * One reading of a queue in half a minute for each instance; what the instance hands over meanwhile is added to it. A reading that fails
 * counts as empty: no message waits for a figure that is a tendency anyway.
 */
export const cachedLoads = (depths: Pick<Depths, "visible">, now: () => number, lifeMs = 30_000): Loads => {
  const readings = new Map<string, { readonly until: number; readonly depth: Promise<number>; added: number }>();
  const depthOf = (place: RestingPlace) => depths.visible(place).catch(() => 0);
  return {
    read: async (place) => {
      const key = placeKey(place);
      const known = readings.get(key);
      const reading = known && now() < known.until ? known : { until: now() + lifeMs, depth: depthOf(place), added: 0 };
      readings.set(key, reading);
      return (await reading.depth) + reading.added;
    },
    add: (place, messages) => {
      const reading = readings.get(placeKey(place));
      if (reading) reading.added += messages;
    },
  };
};
