import type { LinkId } from "../../ids.ts";
import { holdsSome, orderedShelter, restingCounter } from "../resting.ts";
import { type PassPorts, startPass } from "./passes.ts";

/**
 * Orders what waits for a link in order to go to it, unless nothing waits or its breaker is open. Who died between parking and marking leaves
 * what only the depth shows, and so does a table that was restored.
 */
export const orderRedrive = async (ports: PassPorts, link: LinkId, now: number): Promise<void> => {
  const broker = (await ports.brain.read("broker", "", "broker"))?.value;
  const isOrderedLink = broker?.slice.connectors.some((one) => one.link === link && one.fifo);
  if (!isOrderedLink || broker?.breakers?.includes(link)) return;
  const place = orderedShelter(link);
  const counter = await ports.counters.add(restingCounter(place), 0);
  if ((await holdsSome(ports, place)) || (await ports.depths.visible(place)) > 0)
    await startPass(ports, place, { counter, viewRevision: 0 }, now);
};
