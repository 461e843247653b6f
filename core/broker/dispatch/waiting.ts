import { type DestinationKey, destinationKey } from "../../destination/destination.ts";
import { isFifo } from "../../destination/fifo.ts";
import type { LinkId } from "../../ids.ts";
import type { Waiting } from "../../routing/order.ts";
import type { DestinationView } from "../../routing/view.ts";
import { holdsSome, type OrderPorts, orderedShelter } from "../resting.ts";

const nothing: Waiting = { inQueue: false, forLinks: new Map() };

/** Reads what the FIFO destinations among these wait for: two reads for each queue, and two for each link that may get something. */
export const readWaiting = async (
  ports: OrderPorts,
  views: readonly DestinationView[],
  breakers: readonly LinkId[],
): Promise<(view: DestinationView) => Waiting> => {
  const ordered = views.filter(({ destination }) => isFifo(destination));
  if (ordered.length === 0) return () => nothing;
  const links = new Set(ordered.flatMap(({ candidates }) => candidates.flatMap((one) => (one.to === "link" ? [one.link] : []))));
  const forLinks = new Map<LinkId, "breaker-open" | "behind-parked">();
  const inQueue = new Set<DestinationKey>();
  await Promise.all([
    ...[...links].map(async (link) => {
      if (breakers.includes(link)) forLinks.set(link, "breaker-open");
      else if (await holdsSome(ports, orderedShelter(link))) forLinks.set(link, "behind-parked");
    }),
    ...ordered.map(async ({ destination }) => {
      if (destination.kind === "queue" && (await holdsSome(ports, { to: "queue", destination }))) inQueue.add(destinationKey(destination));
    }),
  ]);
  return ({ destination }) => ({ inQueue: inQueue.has(destinationKey(destination)), forLinks });
};
