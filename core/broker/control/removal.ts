import type { NetworkConnector } from "../../config/slice.ts";
import type { DestinationKey } from "../../destination/destination.ts";
import type { LinkRecord } from "../../link/link.ts";
import { decideRemoval } from "../../link/removal.ts";
import type { Brain } from "../../ports.ts";
import { writeJudged } from "../contended.ts";
import { sheltersOf } from "../resting.ts";
import type { ControlPorts } from "./ports.ts";
import { topicsSubscribedBy } from "./subscribing.ts";
import { viewLife } from "./views.ts";

/** Writes down what a destination that is being removed still has, where an operator finds it. */
export const noteLeft = async (brain: Brain, key: DestinationKey, left: number): Promise<void> => {
  const stored = await brain.read("destination", "", key);
  if (!stored?.value.removal || stored.value.removal.left === left) return;
  await writeJudged(brain, "destination", "", key, { ...stored.value, removal: { left } }, stored.revision);
};

/**
 * Owner's side, at each probe of a connector that is being removed: looks what is left of its link. The answer goes into the record, and
 * with the probe to the receiver, who keeps its inbound until then.
 */
export const withRemoval = async (
  { brain, depths, longest }: Pick<ControlPorts, "brain" | "depths" | "longest">,
  { link, fifo, removed = false }: NetworkConnector,
  { removal: before, ...record }: LinkRecord,
  now: number,
): Promise<LinkRecord> => {
  if (!removed) return record;
  const waiting = Promise.all(sheltersOf({ link, ...(fifo && { fifo }) }).map(depths.read));
  const [shelters, topics] = await Promise.all([waiting, topicsSubscribedBy(brain, link)]);
  const undelivered = shelters.reduce((sum, { all }) => sum + all, 0);
  // A copy whose dispatch died comes again after six times its longest run, and follows the plan it was claimed with: here, once more.
  const quietTime = 7 * longest + viewLife;
  return { ...record, removal: decideRemoval(before, { undelivered, subscriptions: topics.length }, quietTime, now) };
};
