import type { DestinationKey } from "../../destination/destination.ts";
import { destinationOf } from "../../destination/destination.ts";
import type { LinkId } from "../../ids.ts";
import type { Brain, Events } from "../../ports.ts";
import { writeJudged } from "../contended.ts";
import type { ControlEvent } from "../events.ts";
import type { Identity } from "../identity.ts";
import { type DestinationFacts, type LinkFacts, learntScope } from "./facts.ts";
import { subscriptionId } from "./subscriptions.ts";
import { viewLife } from "./views.ts";

export interface TellPorts {
  readonly identity: Identity;
  readonly brain: Brain;
  readonly events: Events;
}

/**
 * Tells each peer which version of its demand is in effect here, over all the destinations that it stands for: once, but as often as it is
 * judged while something else of the destination is missing (`isWhole`), or the events that repeat that judgement would find nothing new.
 * Answers when to look again, if some isn't yet.
 */
export const tellEffective = async (
  ports: TellPorts,
  facts: DestinationFacts,
  here: readonly DestinationKey[],
  isWhole: boolean,
  now: number,
): Promise<number | undefined> => {
  const untold = facts.links.filter(({ exact, away }) => !away && exact !== undefined && exact.value.told < exact.value.version);
  const dues = await Promise.all(
    untold.map(async (link) => {
      const due = Math.max(0, ...(await Promise.all(here.map((key) => effectiveAt(ports.brain, key, link.connector.link, now)))));
      if (due > now) return due;
      return (await tell(ports, facts.key, link, isWhole)) ? 0 : now + lookAgain;
    }),
  );
  const ahead = dues.filter((due) => due > now);
  return ahead.length > 0 ? Math.min(...ahead) : undefined;
};

/** A topic's demand is in effect when its subscription is; a queue's, when every dispatch routes by the new view. */
const effectiveAt = async (brain: Brain, key: DestinationKey, link: LinkId, now: number): Promise<number> => {
  if (destinationOf(key).kind === "topic") {
    const subscription = (await brain.read("subscription", key, subscriptionId({ to: "link", link })))?.value;
    if (!subscription) return 0;
    return subscription.state === "subscribed" ? subscription.effectiveAt : now + lookAgain;
  }
  const view = await brain.read("view", "", key);
  return view ? view.value.changedAt + viewLife : 0;
};

/** A subscription that the other account has to confirm, and a peer that couldn't be told, are looked at again after this. */
const lookAgain = 15_000;

/** Whether the peer's control queue took it. */
const tell = async (
  { identity, brain, events }: TellPorts,
  destination: DestinationKey,
  { connector, exact }: LinkFacts,
  isWhole: boolean,
): Promise<boolean> => {
  if (!exact) return true;
  const { version } = exact.value;
  const { dropped } = await events.send([{ to: connector.to, event: { event: "effective", link: connector.link, destination, version } }]);
  if (dropped > 0) return false;
  if (!isWhole) return true;
  await writeJudged(
    brain,
    "learnt",
    learntScope(connector.link, destination, identity.hash),
    destination,
    { ...exact.value, told: version },
    exact.revision,
  );
  return true;
};

/** A peer tells us likewise which version of our demand is in effect at its end of a link. */
export const noteEffective = async (
  brain: Brain,
  { link, destination, version }: Extract<ControlEvent, { event: "effective" }>,
): Promise<void> => {
  const stored = await brain.read("effective", destination, link);
  if (stored && stored.value.version >= version) return;
  await writeJudged(brain, "effective", destination, link, { link, version }, stored?.revision ?? 0);
};
