import { bucketOf, publishes } from "../../demand/publish.ts";
import { type DestinationKey, destinationOf } from "../../destination/destination.ts";
import { isFifo } from "../../destination/fifo.ts";
import { compileFilter, isPattern } from "../../destination/filter.ts";
import type { ConnectionId } from "../../ids.ts";
import { mayLearn } from "../../link/advisory-filter.ts";
import type { Hash } from "../../message/message.ts";
import type { Brain } from "../../ports.ts";
import { presenceOf } from "../../presence/consumers.ts";
import type { PresenceRecord } from "../../presence/presence.ts";
import type { BrokerItem } from "../records.ts";
import { subscriptionId } from "./subscriptions.ts";
import { viewLife } from "./views.ts";

/** What a consumer still waits for, in words that name what to do where somebody can do something. */
export interface NotReady {
  readonly destination: DestinationKey;
  readonly for: string;
}

/**
 * Is everything in effect that a connection announced with this counter: its own broker's routing and subscriptions, and the demand at
 * each direct peer that may serve it? Empty: ready.
 */
export const waitingFor = async (
  brain: Brain,
  hash: Hash,
  connection: ConnectionId,
  counter: number,
  now: number,
): Promise<readonly NotReady[]> => {
  const [stored, broker] = await Promise.all([brain.read("connection", "", connection), brain.read("broker", "", "broker")]);
  if (!broker) return [{ destination: "", for: "the broker's configuration: is its stack deployed?" }];
  if (!stored || stored.value.counter < counter || stored.value.unjudged.length > 0)
    return [{ destination: "", for: "control to take up this connection" }];
  const wanted = presenceOf(stored.value, stored.value.leaseUntil);
  const waits = await Promise.all(
    wanted.map(async (presence) => [
      ...(await waitingHere(brain, presence, now)),
      ...(await waitingAbroad(brain, hash, broker.value, presence.destination)),
    ]),
  );
  return waits.flat();
};

const waitingHere = async (brain: Brain, { destination, ownQueue }: PresenceRecord, now: number): Promise<NotReady[]> => {
  const matches = compileFilter(destinationOf(destination));
  const known = (await brain.list("destination", "")).filter(({ value }) => matches(value.destination));
  const here = known.filter(({ value }) => value.goneAt === undefined);
  if (here.length === 0 && !isPattern(destinationOf(destination))) {
    if (known.length > 0) return [{ destination, for: gone }];
    return [{ destination, for: isFifo(destinationOf(destination)) ? undeclared : unmade }];
  }
  const inEffect = await Promise.all(
    here.map(async ({ id, value }) =>
      value.destination.kind === "topic" ? isSubscribed(brain, id, ownQueue, now) : isRouted(brain, id, now),
    ),
  );
  return inEffect.every(Boolean) ? [] : [{ destination, for: "its own broker's routing to take effect" }];
};

const undeclared = `the destination: a FIFO destination isn't made on first use, declare it in "queues" or "topics"`;
const gone =
  "the destination: it has left the configuration; close its consumers, or declare it again (what may be made on first use is, ten minutes after)";
const unmade = "the destination: declare it, or let autoCreateDestinations or a connector's lists match it";

const isSubscribed = async (brain: Brain, topic: DestinationKey, ownQueue = "", now: number): Promise<boolean> => {
  const subscription = await brain.read("subscription", topic, subscriptionId({ to: "own-queue", queue: ownQueue }));
  return subscription?.value.state === "subscribed" && subscription.value.effectiveAt <= now;
};

const isRouted = async (brain: Brain, queue: DestinationKey, now: number): Promise<boolean> => {
  const view = await brain.read("view", "", queue);
  return view !== undefined && view.value.changedAt + viewLife <= now;
};

const waitingAbroad = async (brain: Brain, hash: Hash, { slice }: BrokerItem, key: DestinationKey): Promise<NotReady[]> => {
  const serving = slice.connectors
    .filter(({ to, removed = false }) => to === slice.broker && !removed)
    .filter((connector) => mayLearn(connector, destinationOf(key)));
  if (!publishes(slice, key) || serving.length === 0) return [];
  const demand = await brain.read("demand", bucketOf(key, hash), key);
  if (!demand || demand.value.groups.length === 0) return [{ destination: key, for: "its demand to be published" }];
  const waits = await Promise.all(
    serving.map(async ({ link, from }): Promise<NotReady[]> => {
      const effective = await brain.read("effective", key, link);
      return effective && effective.value.version >= demand.value.version
        ? []
        : [{ destination: key, for: `broker ${from} to put the demand into effect (link ${link})` }];
    }),
  );
  return waits.flat();
};
