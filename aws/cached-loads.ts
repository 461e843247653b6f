import { placeKey } from "../core/broker/resting.ts";
import type { Depths, Loads } from "../core/ports.ts";

/** One reading of a queue in half a minute for each instance; what the instance hands over meanwhile is added to it. */
export const cachedLoads = (depths: Depths, now: () => number, lifeMs = 30_000): Loads => {
  const readings = new Map<string, { readonly until: number; readonly depth: Promise<number>; added: number }>();
  return {
    read: async (place) => {
      const key = placeKey(place);
      const known = readings.get(key);
      const reading = known && now() < known.until ? known : { until: now() + lifeMs, depth: depths.visible(place), added: 0 };
      readings.set(key, reading);
      reading.depth.catch(() => readings.delete(key));
      return (await reading.depth) + reading.added;
    },
    add: (place, messages) => {
      const reading = readings.get(placeKey(place));
      if (reading) reading.added += messages;
    },
  };
};
