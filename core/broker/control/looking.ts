import type { Brain } from "../../ports.ts";
import type { DrainedPlace } from "../../routing/plan.ts";
import { writeJudged } from "../contended.ts";
import { carryOverBefore, newPassRecord, withReading } from "../reading.ts";
import type { PassRecord } from "../records.ts";
import { isOrdered, placeKey } from "../resting.ts";
import { isDurableQueue } from "./durables.ts";
import { nothingSeen, orderPass, type PassPorts, startPass } from "./passes.ts";
import { redriveAtLook } from "./redrives.ts";
import { noteLeft } from "./removal.ts";

/**
 * Reads how much a place holds and orders what that calls for: a carry-over of what grows old, the rest of a pass that was cut short, a
 * pass of a queue that somebody elsewhere would take from. `due`: for something there time comes then.
 */
export const lookInto = async (ports: PassPorts, place: DrainedPlace, now: number, due = never): Promise<void> => {
  const key = placeKey(place);
  if (place.to === "private" && !(await isOwned(ports.brain, place.queue))) return;
  if (place.to === "own-queue" && !(await isDurableQueue(ports.brain, place.queue))) return;
  const stored = await ports.brain.read("pass", "", key);
  const depth = await ports.depths.read(place);
  const known = withReading(stored?.value ?? newPassRecord, depth, now);
  const record = due < dueBy(known, now) ? { ...known, dueAt: due } : known;
  await writeJudged(ports.brain, "pass", "", key, record, stored?.revision ?? 0);
  if (place.to === "queue") await noteLeft(ports.brain, key, depth.all);
  const olderThan = carryOverBefore(record, now);
  const { counter, viewRevision } = record.round ?? nothingSeen;
  if (olderThan !== undefined) return startPass(ports, place, { counter, viewRevision, olderThan }, now);
  const isDue = record.dueAt !== undefined && record.dueAt <= now;
  if (place.to === "undelivered" && (isDue || isOrdered(place))) return redriveAtLook(ports, place, now);
  if (place.to === "queue") return orderPass(ports, place, now, depth.visible);
  if (record.unfinished) await startPass(ports, place, nothingSeen, now);
};

const never = Number.POSITIVE_INFINITY;

/** What was due when a pass began is that pass's. */
const dueBy = ({ dueAt = never, leaseUntil }: PassRecord, now: number): number => (dueAt <= now && leaseUntil > now ? never : dueAt);

/** A queue that was removed meanwhile leaves no record. */
const isOwned = async (brain: Brain, queue: string): Promise<boolean> => {
  const [connection = ""] = queue.split(".", 1);
  const stored = await brain.read("connection", "", connection);
  return stored?.value.ownQueues.some((own) => own.queue === queue) ?? false;
};
