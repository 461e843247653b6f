import { isFifo } from "../../destination/fifo.ts";
import type { LinkId } from "../../ids.ts";
import type { DrainedPlace } from "../../routing/plan.ts";
import type { PassResult } from "../events.ts";
import { lookAt, soon } from "../looks.ts";
import { isOrdered, placeKey } from "../resting.ts";
import type { PassPorts } from "./passes.ts";
import { routedOver } from "./views.ts";

const aMinute = 60_000;

/**
 * A FIFO queue hides a group while one of it is in flight, here or with somebody else: what it holds tells what a round has left. Where
 * local consumers take from it, what is in flight is theirs, and their groups hold nobody back.
 */
export const withUnseen = async (ports: PassPorts, result: PassResult, now: number): Promise<PassResult> => {
  const { place, complete, left, moved, dueAt = Number.POSITIVE_INFINITY } = result;
  if (!isOrdered(place) || !complete || (await hasConsumers(ports, place))) return result;
  const { all } = await ports.depths.read(place);
  if (all <= left) return result;
  // After a pass that moved something the figure may lag.
  const again = now + (moved > 0 ? soon : aMinute);
  return { ...result, left: all, ...(left === 0 && { dueAt: Math.min(dueAt, again) }) };
};

const hasConsumers = async ({ brain }: PassPorts, place: DrainedPlace): Promise<boolean> => {
  if (place.to !== "queue") return false;
  const view = await brain.read("view", "", placeKey(place));
  return view?.value.candidates.some(({ to }) => to === "consumers") ?? false;
};

/** A link's shelter is empty: what rests in FIFO queues behind it may go. */
export const lookBehind = async ({ brain, events, identity }: PassPorts, link: LinkId): Promise<void> => {
  const waiting = (await routedOver(brain, link)).filter((destination) => destination.kind === "queue" && isFifo(destination));
  if (waiting.length > 0) await events.send(waiting.map((destination) => lookAt(identity.self, { to: "queue", destination })));
};
