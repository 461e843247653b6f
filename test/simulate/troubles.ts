import { cachedViews } from "../../aws/cached-views.ts";
import type { BrokerId } from "../../core/ids.ts";
import type { OutgoingEvent } from "../../core/ports.ts";
import type { Fates } from "../support/histories/fates.ts";
import { mortalControl } from "../support/histories/mortal-control.ts";
import { calm, type Disturbance, type Fate } from "../support/simulator/disturbance.ts";

/** What goes wrong by itself while the steps of a history are done. */
export const faultNames = ["hints lost", "events doubled", "events late", "stale views", "control dies", "small batches"] as const;
export type FaultName = (typeof faultNames)[number];

/** One in so many. */
const often = 4;
/** As old as a view may be that dispatch routes by. */
const viewLife = 2_000;

/** Faults as they strike; the census counts them by the connectors and destinations that they hit. */
export const troublesOf = (
  fates: Fates,
  faults: readonly FaultName[],
  linksOf: (one: string, other?: string) => readonly string[],
  now: () => number,
): Disturbance => {
  const has = (name: FaultName): boolean => faults.includes(name);

  const fate = (from: BrokerId, { to, event }: OutgoingEvent): Fate => {
    const about = [event, from === to ? from : linksOf(from, to)];
    const row = `of ${event.event} from ${from} to ${to}`;
    if (has("hints lost") && from !== to && fates.strikes("hint lost", row, often, ...about)) return "is lost";
    if (has("events doubled") && fates.strikes("event doubled", row, often, ...about)) return "arrives twice";
    if (has("events late") && fates.strikes("event late", row, often, ...about)) return "comes late";
    return "arrives";
  };

  return {
    ...calm,
    fate,
    ...(has("control dies") && { control: mortalControl(fates) }),
    ...(has("small batches") && { batchSize: () => 1 + Math.floor(fates.draw("batch") * 4) }),
    views: (views, brain, at) => {
      if (!has("stale views")) return views;
      const old = cachedViews(brain, now, viewLife);
      return {
        broker: views.broker,
        read: async (keys) => {
          const seen = await old.read(keys);
          for (const key of keys) {
            const current = (await brain.read("view", "", key))?.value;
            if (current?.changedAt !== seen.get(key)?.changedAt) fates.struck("stale view", "", key, linksOf(at));
          }
          return seen;
        },
      };
    },
    unreached: (from, to) => fates.struck("cut off", "", linksOf(from, to)),
    weathered: (how, _port, about) => fates.struck(`peer ${how}`, "", about),
  };
};
