import type { BrokerSlice } from "../../config/slice.ts";
import type { DestinationKey } from "../../destination/destination.ts";
import { durableId } from "../../destination/durable-queue.ts";
import type { Brain } from "../../ports.ts";
import { judgeConnection, phaseOf, whyIgnored } from "../../presence/connection.ts";
import { presenceOf } from "../../presence/consumers.ts";
import type { ConnectionRecord, ConnectionState, PresenceRecord } from "../../presence/presence.ts";
import { Contended, writeJudged } from "../contended.ts";
import type { Touched } from "./applying.ts";
import { admitConsumers, leaveDurable } from "./durables.ts";
import { presenceId } from "./facts.ts";
import { clearOwnQueues, refuseWhileEnding } from "./own-queues.ts";
import { forgetPass } from "./passes.ts";
import type { ControlPorts } from "./ports.ts";
import { noteAbsent, notePresent } from "./presences.ts";

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
  refuseWhileEnding(stored?.value, told);
  const { admitted, refused } = await admitConsumers(ports, slice, told, now);
  const state = { ...told, consumers: admitted };
  const verdict = judgeConnection(stored?.value, state, sentAt, now);
  if (verdict.verdict === "ignore") return { destinations: [] };
  for (const presence of verdict.gone)
    if (presence.durable) await leaveDurable(brain, presence, state.connection, now);
    else await noteAbsent(brain, presence);
  await writeJudged(brain, "connection", "", state.connection, { ...verdict.record, refused }, stored?.revision ?? 0);
  const present = state.closed ? [] : presenceOf(state, verdict.record.leaseUntil);
  const stood: boolean[] = [];
  for (const presence of present) stood.push(await notePresent(brain, presence));
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
    await noteAbsent(brain, presence);
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
  for (const presence of ends) await noteAbsent(ports.brain, presence, hasWoken);
  const left = await clearOwnQueues(ports, stored, now);
  return {
    destinations: phase === stored.value.phase ? [] : stored.value.touched,
    afterwards: async () => void (await writeJudged(ports.brain, "connection", "", connection, { ...left.value, phase }, left.revision)),
  };
};
