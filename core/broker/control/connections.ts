import type { BrokerSlice } from "../../config/slice.ts";
import type { DestinationKey } from "../../destination/destination.ts";
import { durableId } from "../../destination/durable-queue.ts";
import type { Brain, Stored } from "../../ports.ts";
import { judgeConnection, orphansOf, phaseOf, whyIgnored } from "../../presence/connection.ts";
import { presenceOf } from "../../presence/consumers.ts";
import type { ConnectionRecord, ConnectionState, OwnQueue, PresenceRecord } from "../../presence/presence.ts";
import { Contended, writeJudged } from "../contended.ts";
import type { PassResult } from "../events.ts";
import { placeKey } from "../resting.ts";
import type { Touched } from "./applying.ts";
import { admitConsumers, leaveDurable } from "./durables.ts";
import { presenceId } from "./facts.ts";
import { forgetPass, nothingSeen, startPass } from "./passes.ts";
import type { ControlPorts } from "./ports.ts";
import { writePresence } from "./presences.ts";

/**
 * A client says which consumers it has. Order: durable subscriptions that it takes, presence that ends, the connection itself with what is
 * to be judged, presence that begins, then (by the caller) the judging, then that it was judged.
 * Crash window: the same event comes again, or a newer one: until the connection is written the difference to the stored one is the same,
 * afterwards `unjudged` keeps it. Whoever is present stands in his connection, so that a newer event takes him away with all that was made
 * for him; what is overtaken by a newer one comes again and takes away whom it left.
 */
export const applyConnection = async (
  ports: ControlPorts,
  slice: Pick<BrokerSlice, "consumers">,
  told: ConnectionState,
  sentAt: number,
  now: number,
): Promise<Touched> => {
  const { brain } = ports;
  const stored = await brain.read("connection", "", told.connection);
  if (stored && whyIgnored(stored.value, told) !== undefined) return clearOvertaken(brain, stored.value, told);
  const { admitted, refused } = await admitConsumers(ports, slice, told, now);
  const state = { ...told, consumers: admitted };
  const verdict = judgeConnection(stored?.value, state, sentAt, now);
  if (verdict.verdict === "ignore") return { destinations: [] };
  for (const presence of verdict.gone)
    if (presence.durable) await leaveDurable(brain, presence, state.connection, now);
    else await writePresence(brain, presence, undefined);
  await writeJudged(brain, "connection", "", state.connection, { ...verdict.record, refused }, stored?.revision ?? 0);
  const present = state.closed ? [] : presenceOf(state, verdict.record.leaseUntil);
  const stood: boolean[] = [];
  for (const presence of present) stood.push(await writePresence(brain, presence, presence));
  const standing = await brain.read("connection", "", state.connection);
  if (standing?.value.counter !== state.counter) throw new Contended(`connection ${state.connection}`);
  // Whom somebody slow took away was judged without.
  const isNews = verdict.changed || stood.includes(false);
  if (!isNews) return { destinations: [] };
  // A consumer that was given up may have woken.
  for (const { ownQueue: queue } of present) if (queue !== undefined) await forgetPass(brain, { to: "private", queue });
  return {
    destinations: verdict.changed ? verdict.record.unjudged : verdict.record.touched,
    afterwards: (left) => noteJudged(brain, state, left),
  };
};

/** Who was slower than what its connection said later may have left somebody there whom that doesn't know, and a judgement with him. */
const clearOvertaken = async (brain: Brain, later: ConnectionRecord, told: ConnectionState): Promise<Touched> => {
  const known = new Set((later.closed ? [] : presenceOf(later, 0)).map(presenceId));
  const strays: PresenceRecord[] = [];
  for (const presence of presenceOf(told, 0).filter((one) => !known.has(presenceId(one)))) {
    // A durable one is there as long as its record.
    if (presence.durable && (await brain.read("durable", "", durableId(presence.durable)))) continue;
    await writePresence(brain, presence, undefined);
    strays.push(presence);
  }
  return { destinations: strays.map(({ destination }) => destination) };
};

/**
 * A newer state has taken over what is owed, and notes it itself. What was left to somebody else may be judged without this connection: as
 * long as that is so its consumers aren't ready, and the event comes again.
 */
const noteJudged = async (brain: Brain, { connection, counter }: ConnectionState, left: readonly DestinationKey[]): Promise<void> => {
  if (left.length > 0) throw new Contended(`what ${left.join(", ")} is judged by`);
  const stored = await brain.read("connection", "", connection);
  if (stored?.value.counter !== counter || stored.value.unjudged.length === 0) return;
  await writeJudged(brain, "connection", "", connection, { ...stored.value, unjudged: [] }, stored.revision);
};

/**
 * Takes a connection whose lease ran out (or that was closed) one phase further, and clears the own queues of consumers that are gone.
 * What it counted for is judged again.
 */
export const expireConnection = async (ports: ControlPorts, connection: string, now: number): Promise<Touched> => {
  const stored = await ports.brain.read("connection", "", connection);
  if (!stored) return { destinations: [] };
  const phase = phaseOf(stored.value, now);
  if (phase === "forgotten" && stored.value.ownQueues.length === 0) {
    await writeJudged(ports.brain, "connection", "", connection, undefined, stored.revision);
    return { destinations: [] };
  }
  const isOver = phase === "removed" || phase === "forgotten";
  const ends = isOver ? presenceOf(stored.value, 0).filter(({ durable }) => !durable) : [];
  const hasWoken = ({ leaseUntil = 0 }: PresenceRecord): boolean => !stored.value.closed && leaseUntil > now;
  for (const presence of ends) await writePresence(ports.brain, presence, undefined, hasWoken);
  const ownQueues = await clearOwnQueues(ports, stored.value, orphansOf(stored.value, now), now);
  const next = { ...stored.value, phase, ownQueues };
  return {
    destinations: phase === stored.value.phase ? [] : stored.value.touched,
    afterwards: () => writeJudged(ports.brain, "connection", "", connection, next, stored.revision),
  };
};

/** Ends of topic subscriptions are removed; private queues are drained into routing first. Answers the queues that are left. */
const clearOwnQueues = async (
  ports: ControlPorts,
  { ownQueues }: ConnectionRecord,
  orphans: readonly OwnQueue[],
  now: number,
): Promise<readonly OwnQueue[]> => {
  for (const { queue, private: isPrivate } of orphans) {
    if (isPrivate) await startPass(ports, { to: "private", queue }, nothingSeen, now);
    else await ports.resources.remove({ make: "own-queue", queue });
  }
  return ownQueues.filter((own) => own.private || !orphans.includes(own));
};

/** Longer than a private queue hides what its consumer took (30 seconds) and than a cached view can still point at it. */
const surelyEmpty = 45_000;

/**
 * A gone consumer's private queue goes when full rounds found it empty for a while: what its consumer took and didn't delete has come
 * back by then. The pass's record goes last, so that a repeated result repeats all.
 */
export const passedPrivate = async ({ brain, resources }: ControlPorts, { place }: PassResult, now: number): Promise<void> => {
  if (place.to !== "private") return;
  const pass = await brain.read("pass", "", placeKey(place));
  if (pass?.value.emptySince === undefined || now - pass.value.emptySince < surelyEmpty) return;
  const [connection = ""] = place.queue.split(".", 1);
  const stored = await brain.read("connection", "", connection);
  const isOrphan = stored === undefined || orphansOf(stored.value, now).some(({ queue }) => queue === place.queue);
  if (!isOrphan) return; // its consumer woke up
  await resources.remove({ make: "own-queue", queue: place.queue });
  if (stored) await writeJudged(brain, "connection", "", connection, without(stored, place.queue), stored.revision);
  await writeJudged(brain, "pass", "", placeKey(place), undefined, pass.revision);
};

const without = ({ value }: Stored<ConnectionRecord>, queue: string): ConnectionRecord => ({
  ...value,
  ownQueues: value.ownQueues.filter((own) => own.queue !== queue),
});
