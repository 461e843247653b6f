import type { HandOver } from "../../../core/ports.ts";
import type { Target } from "../../../core/routing/plan.ts";
import { loadBy } from "./naming.ts";
import type { Carrier } from "./ordered-windows.ts";

/** What is parked for a link is on its way there. */
const wayTo = (target: Target): string => ("link" in target ? `link ${target.link}` : JSON.stringify(target));

/** Remembers which way each carrier handed a queue's message on; tells whether it had handed it on by others only. */
export const waysTaken = () => {
  const taken = new Map<string, ReadonlySet<string>>();
  return (one: HandOver, { at, place }: Carrier): boolean => {
    if (!one.group?.startsWith("queue:")) return false; // a topic's go several ways at once
    const load = JSON.stringify([at, place, loadBy(one, "door")]);
    const way = wayTo(one.target);
    const before = taken.get(load) ?? new Set(place?.to === "undelivered" ? [wayTo(place)] : []);
    taken.set(load, new Set([...before, way]));
    return before.size > 0 && !before.has(way);
  };
};
