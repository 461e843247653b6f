import type { DestinationKey } from "../../destination/destination.ts";
import type { LinkId } from "../../ids.ts";
import type { Brain, Resources, Stored, Subscriptions, SubscriptionTarget } from "../../ports.ts";
import { writeJudged } from "../contended.ts";
import type { SubscriptionRecord } from "../records.ts";
import type { DestinationFacts } from "./facts.ts";
import { newSubscription, reconcileSubscriptions, subscriptionId } from "./subscriptions.ts";
import { viewLife } from "./views.ts";

/**
 * Carries out what reconciling a topic's subscriptions asks for. Each row says what is about to happen before it happens.
 * A client's queue is made just before: what AWS refuses after some calls goes on where it stopped when the event comes again.
 * Answers why links couldn't be subscribed: their rows stay begun, and nobody here waits for a peer's inbound.
 */
export const carryOutSubscriptions = async (
  ports: { readonly brain: Brain; readonly resources: Resources; readonly subscriptions: Subscriptions },
  { key, destination, slice, subscriptions, links, discovered }: DestinationFacts,
  wanted: readonly SubscriptionTarget[],
  now: number,
): Promise<readonly Error[]> => {
  const failed: Error[] = [];
  // Where dispatch may deliver by itself, every one of them routes by the new view by then.
  const grace = Math.max(slice.subscriptionGrace * 1_000, discovered ? viewLife : 0);
  const row = (found: Stored<SubscriptionRecord>, next: SubscriptionRecord | undefined) =>
    writeJudged(ports.brain, "subscription", key, found.id, next, found.revision);

  const subscribe = async (target: SubscriptionTarget, found: Stored<SubscriptionRecord> | undefined): Promise<void> => {
    if (found?.value.state === "removing" && found.value.arn) await ports.subscriptions.unsubscribe(found.value.arn);
    if (target.to === "own-queue") await ports.resources.make({ make: "own-queue", queue: target.queue });
    const id = subscriptionId(target);
    await writeJudged(ports.brain, "subscription", key, id, newSubscription(key, target), found?.revision ?? 0);
    const answer = await ports.subscriptions.subscribe(destination, target).catch((error: Error) => {
      if (target.to !== "link") throw error;
      failed.push(error);
      return "pending" as const;
    });
    if (answer === "pending") return;
    const begun = await ports.brain.read("subscription", key, id);
    if (begun) await row(begun, { ...begun.value, state: "subscribed", arn: answer.arn, effectiveAt: now + grace });
  };

  const unsubscribe = async (found: Stored<SubscriptionRecord>): Promise<void> => {
    await row(found, { ...found.value, state: "removing" });
    if (found.value.arn) await ports.subscriptions.unsubscribe(found.value.arn);
    const begun = await ports.brain.read("subscription", key, found.id);
    if (begun) await row(begun, undefined);
  };

  const closed = new Set(links.filter((link) => link.closed).map(({ connector }) => connector.link));
  for (const step of reconcileSubscriptions(wanted, subscriptions, now, closed)) {
    if (step.effect === "subscribe") await subscribe(step.target, step.found);
    else if (step.effect === "unsubscribe") await unsubscribe(step.found);
    else if (step.effect === "mark-unwanted") await row(step.found, { ...step.found.value, unwantedSince: now });
    else await row(step.found, withoutUnwanted(step.found.value));
  }
  return failed;
};

/** Topics with a subscription towards the link, wanted or not, on its way in or out. */
export const topicsSubscribedBy = async (brain: Brain, link: LinkId): Promise<readonly DestinationKey[]> => {
  const topics = (await brain.list("destination", "")).filter(({ value }) => value.destination.kind === "topic");
  const found = await Promise.all(
    topics.map(async ({ id }) => ((await brain.read("subscription", id, subscriptionId({ to: "link", link }))) ? [id] : [])),
  );
  return found.flat();
};

const withoutUnwanted = ({ unwantedSince: _, ...kept }: SubscriptionRecord): SubscriptionRecord => kept;
