import type { BrokerSlice } from "../../config/slice.ts";
import { type DestinationKey, destinationOf } from "../../destination/destination.ts";
import { isPattern } from "../../destination/filter.ts";
import { isClosed } from "../../link/link.ts";
import type { Brain, TableIdentity } from "../../ports.ts";
import type { OwnQueue } from "../../presence/presence.ts";
import { writeJudged } from "../contended.ts";
import { isOrdered, restingCounter, sheltersOf } from "../resting.ts";
import { applyConnection } from "./connections.ts";
import type { ControlPorts } from "./ports.ts";

interface TablePorts {
  readonly brain: Brain;
  readonly table: TableIdentity;
}

/** Notes which table this is, so that a restored one is known by it. */
export const noteTable = async ({ brain, table }: TablePorts): Promise<void> => {
  if (!(await brain.read("root", "", "root")))
    await writeJudged(brain, "root", "", "root", { tableId: await table.tableId(), buckets: {} }, 0);
};

/** Is this another table than the one whose demand was published: a backup's, younger than what stands outside it? */
export const isRestored = async ({ brain, table }: TablePorts): Promise<boolean> => {
  const root = await brain.read("root", "", "root");
  return root !== undefined && root.value.tableId !== (await table.tableId());
};

/**
 * What a restored table can't know, before its destinations are judged anew: which clients live, which subscriptions still stand, and what
 * came to rest, or was parked in order.
 * Answers what is to be done once they were judged: peers see another table then, and read all of our demand.
 * Crash window: until then the root has the old id, and the next tick begins again.
 */
export const takeUpRestored = async (
  ports: ControlPorts,
  slice: BrokerSlice,
  destinations: readonly DestinationKey[],
  now: number,
): Promise<() => Promise<void>> => {
  const { brain, counters, table } = ports;
  const links = slice.connectors.filter(({ from }) => from === slice.broker);
  await forgetEnds(brain);
  await renewLeases(ports, slice, now);
  await renewLinks(brain, now);
  for (const place of links.flatMap(sheltersOf).filter(isOrdered)) await counters.add(restingCounter(place), 1);
  for (const key of destinations) {
    const destination = destinationOf(key);
    if (isPattern(destination)) continue;
    if (destination.kind === "queue") await counters.add(restingCounter({ to: "queue", destination }), 1);
    else await doubtSubscriptions(brain, key);
  }
  return async () => {
    const root = await brain.read("root", "", "root");
    if (root) await writeJudged(brain, "root", "", "root", { ...root.value, tableId: await table.tableId() }, root.revision);
  };
};

/** What was being removed then is gone, or somebody's by now, whom nobody may wait to be removed. Who wants it removed says so once more. */
const forgetEnds = async (brain: Brain): Promise<void> => {
  for (const { id, value, revision } of await brain.list("connection", "")) {
    if (!value.ownQueues.some(({ ending }) => ending)) continue;
    const ownQueues = value.ownQueues.map(({ ending: _, ...own }): OwnQueue => own);
    await writeJudged(brain, "connection", "", id, { ...value, ownQueues }, revision);
  }
  for (const { id, value, revision } of await brain.list("durable", "")) {
    const { ending, ...standing } = value;
    if (ending) await writeJudged(brain, "durable", "", id, standing, revision);
  }
};

/** Whoever was there has the time of a lease to say that it still is: its own queues would be removed else. */
const renewLeases = async (ports: ControlPorts, slice: BrokerSlice, now: number): Promise<void> => {
  for (const { value } of await ports.brain.list("connection", ""))
    if (!value.closed && value.phase === "live") await applyConnection(ports, slice, value, now, now);
};

/** So have peers: their last answer is as old as the backup. */
const renewLinks = async (brain: Brain, now: number): Promise<void> => {
  for (const { id, value, revision } of await brain.list("link", ""))
    if (value.answeredAt > 0 && !isClosed(value)) await writeJudged(brain, "link", "", id, { ...value, answeredAt: now }, revision);
};

/** To be subscribed once more: SNS answers the same arn where it still stands. */
const doubtSubscriptions = async (brain: Brain, topic: DestinationKey): Promise<void> => {
  for (const { id, value, revision } of await brain.list("subscription", topic))
    if (value.state === "subscribed") await writeJudged(brain, "subscription", topic, id, { ...value, doubtedFrom: 0 }, revision);
};
