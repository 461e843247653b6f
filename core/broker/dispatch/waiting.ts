import { type DestinationKey, destinationKey } from "../../destination/destination.ts";
import { isFifo } from "../../destination/fifo.ts";
import type { LinkId } from "../../ids.ts";
import type { Waiting } from "../../routing/order.ts";
import type { DestinationView } from "../../routing/view.ts";
import { holdsSome, type OrderPorts, orderedShelter } from "../resting.ts";

/**
 * What these destinations' messages wait for: links whose breaker is open, and of FIFO ones what they mustn't overtake. That is two reads
 * for each FIFO queue, and two for each link that may get something of FIFO.
 */
export const readWaiting = async (
  ports: OrderPorts,
  views: readonly DestinationView[],
  breakers: readonly LinkId[],
): Promise<(view: DestinationView) => Waiting> => {
  const ordered = views.filter(({ destination }) => isFifo(destination));
  const links = new Set(ordered.flatMap(({ candidates }) => candidates.flatMap((one) => (one.to === "link" ? [one.link] : []))));
  const broken = new Map(breakers.map((link) => [link, "breaker-open" as const]));
  const forLinks = new Map<LinkId, "breaker-open" | "behind-parked">(broken);
  const inQueue = new Set<DestinationKey>();
  await Promise.all([
    ...[...links].map(async (link) => {
      if (!broken.has(link) && (await holdsSome(ports, orderedShelter(link)))) forLinks.set(link, "behind-parked");
    }),
    ...ordered.map(async ({ destination }) => {
      if (destination.kind === "queue" && (await holdsSome(ports, { to: "queue", destination }))) inQueue.add(destinationKey(destination));
    }),
  ]);
  return ({ destination }) =>
    isFifo(destination) ? { inQueue: inQueue.has(destinationKey(destination)), forLinks } : { inQueue: false, forLinks: broken };
};
