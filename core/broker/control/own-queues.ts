import type { Stored } from "../../ports.ts";
import { orphansOf } from "../../presence/connection.ts";
import { presenceOf } from "../../presence/consumers.ts";
import type { ConnectionRecord, ConnectionState, OwnQueue } from "../../presence/presence.ts";
import { Contended, writeJudged } from "../contended.ts";
import type { PassResult } from "../events.ts";
import { placeKey } from "../resting.ts";
import { nothingSeen, startPass } from "./passes.ts";
import type { ControlPorts } from "./ports.ts";
import { viewLife } from "./views.ts";

/** Whoever wakes while a queue of his is being removed has another one of its name once that is done: the event comes again until then. */
export const refuseWhileEnding = (stored: ConnectionRecord | undefined, told: ConnectionState): void => {
  const read = new Set(told.closed ? [] : presenceOf(told, 0).map(({ ownQueue }) => ownQueue));
  const ends = stored?.ownQueues.find(({ queue, ending }) => ending && read.has(queue));
  if (ends) throw new Contended(`own queue ${ends.queue}`);
};

/**
 * Ends of topic subscriptions are removed; private queues are drained into routing first. Answers the connection without those that are gone.
 * Crash window: ends stay noted as ending, and the next tick removes them again.
 */
export const clearOwnQueues = async (
  ports: ControlPorts,
  stored: Stored<ConnectionRecord>,
  now: number,
): Promise<Stored<ConnectionRecord>> => {
  const orphans = orphansOf(stored.value, now);
  for (const { queue } of orphans.filter((own) => own.private)) await startPass(ports, { to: "private", queue }, nothingSeen, now);
  const ends = orphans.filter((own) => !own.private).map(({ queue }) => queue);
  return ends.length === 0 ? stored : removeOwnQueues(ports, stored, ends);
};

/** Noted before, by what it was judged by: from then on their consumers don't wake before they are gone. */
const removeOwnQueues = async (
  { brain, resources }: Pick<ControlPorts, "brain" | "resources">,
  { id, value, revision }: Stored<ConnectionRecord>,
  queues: readonly string[],
): Promise<Stored<ConnectionRecord>> => {
  const ends = ({ queue }: OwnQueue): boolean => queues.includes(queue);
  const ending = { ...value, ownQueues: value.ownQueues.map((own): OwnQueue => (ends(own) ? { ...own, ending: true } : own)) };
  const noted = await writeJudged(brain, "connection", "", id, ending, revision);
  for (const queue of queues) await resources.remove({ make: "own-queue", queue });
  return { id, value: { ...value, ownQueues: value.ownQueues.filter((own) => !ends(own)) }, revision: noted };
};

/** Longer than a private queue hides what its consumer took (30 seconds), and than dispatch may be at what it planned by a cached view. */
const surelyEmpty = ({ longest }: Pick<ControlPorts, "longest">): number => Math.max(45_000, viewLife + longest);

/**
 * A gone consumer's private queue goes when full rounds found it empty for a while: what its consumer took and didn't delete has come
 * back by then. The pass's record goes last, so that a repeated result repeats all.
 */
export const passedPrivate = async (ports: ControlPorts, { place }: PassResult, now: number): Promise<void> => {
  if (place.to !== "private") return;
  const { brain, resources } = ports;
  const pass = await brain.read("pass", "", placeKey(place));
  if (pass?.value.emptySince === undefined || now - pass.value.emptySince < surelyEmpty(ports)) return;
  const [connection = ""] = place.queue.split(".", 1);
  const stored = await brain.read("connection", "", connection);
  const isOrphan = stored === undefined || orphansOf(stored.value, now).some(({ queue }) => queue === place.queue);
  if (!isOrphan) return; // its consumer woke up
  // What it wanted later is hidden for longer, and comes back.
  if ((await ports.depths.read(place)).all > 0) return;
  if (stored) {
    const left = await removeOwnQueues(ports, stored, [place.queue]);
    await writeJudged(brain, "connection", "", connection, left.value, left.revision);
  } else await resources.remove({ make: "own-queue", queue: place.queue });
  await writeJudged(brain, "pass", "", placeKey(place), undefined, pass.revision);
};
