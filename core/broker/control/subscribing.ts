import type { DestinationKey } from "../../destination/destination.ts";
import type { LinkId } from "../../ids.ts";
import type { Brain, Resources, Stored, Subscriptions } from "../../ports.ts";
import type { SubscriptionRecord } from "../records.ts";
import type { DestinationFacts } from "./facts.ts";
import { type SubscriptionRowPorts, subscriptionRows } from "./subscription-rows.ts";
import { isStanding, newSubscription, reconcileSubscriptions, subscriptionId, type WantedSubscription } from "./subscriptions.ts";
import { viewLife } from "./views.ts";

export interface SubscribingPorts extends SubscriptionRowPorts {
  readonly resources: Resources;
  readonly subscriptions: Subscriptions;
  /** Milliseconds an invocation may run. */
  readonly longest: number;
  clock(): number;
}

/** A link that couldn't be subscribed, and why. */
export interface Unsubscribed {
  readonly link: LinkId;
  readonly error: Error;
}

/**
 * Carries out what reconciling a topic's subscriptions asks for. Each row says what is about to happen before it happens.
 * A client's queue is made just before: what AWS refuses after some calls goes on where it stopped when the event comes again.
 * Answers why links couldn't be subscribed, or asked for: their rows stay begun, and nobody here waits for a peer's inbound.
 */
export const carryOutSubscriptions = async (
  ports: SubscribingPorts,
  { key, destination, slice, subscriptions, links, discovered }: DestinationFacts,
  wanted: readonly WantedSubscription[],
  now: number,
): Promise<readonly Unsubscribed[]> => {
  const failed: Unsubscribed[] = [];
  // Where dispatch may deliver by itself, every one of them routes by the new view by then.
  const grace = Math.max(slice.subscriptionGrace * 1_000, discovered ? viewLife : 0);
  const rows = subscriptionRows(ports, key);

  /** SNS follows the filter it was told last, so that one that stood before is told of none, too. */
  const atSns = async ({ target, filter }: WantedSubscription, arn: string | undefined) => {
    const answer = arn === undefined ? await ports.subscriptions.subscribe(destination, target) : { arn };
    if (answer !== "pending" && (filter || target.to === "link")) await ports.subscriptions.filter(answer.arn, filter?.policy);
    return answer;
  };

  const subscribe = async (wanted: WantedSubscription, found: Stored<SubscriptionRecord> | undefined): Promise<void> => {
    const { target, filter, fed } = wanted;
    if (found?.value.state === "removing" && found.value.arn) await ports.subscriptions.unsubscribe(found.value.arn);
    if (target.to === "own-queue") await ports.resources.make({ make: "own-queue", queue: target.queue });
    const id = subscriptionId(target);
    // Who began it, or was at it before, may be slow, and tell SNS what he knew once we have.
    const isBesideAnother = found?.value.state === "subscribing" || (found?.value.doubtedFrom ?? 0) > now;
    const next = newSubscription(key, wanted);
    const standing = found && isStanding(found.value, now) && found.value.arn !== undefined ? asBefore(found.value) : {};
    const begun = { ...next, ...(standing.arn === undefined && filter && { filter }), ...standing };
    const revision = await rows.write(id, begun, found?.revision ?? 0);
    const answer = fed
      ? {}
      : await atSns(wanted, standing.arn).catch((error: Error) => {
          if (target.to !== "link") throw error;
          failed.push({ link: target.link, error });
          return "pending" as const;
        });
    if (answer === "pending") return;
    const since = Math.max(now, ports.clock());
    const told = { ...next, ...answer, ...(filter && { filter }), ...(isBesideAnother && { doubtedFrom: since + ports.longest }) };
    await rows.noteSubscribed(id, { ...told, state: "subscribed", effectiveAt: since + grace }, revision);
  };

  const closed = new Set(links.filter((link) => link.closed).map(({ connector }) => connector.link));

  /** SNS may have one whose answer was lost: asked again, it answers the same arn. What can't be subscribed any more isn't there. */
  const askedFor = async ({ arn, fed, target }: SubscriptionRecord): Promise<Pick<SubscriptionRecord, "arn"> | "not-told"> => {
    if (arn !== undefined || fed) return arn === undefined ? {} : { arn };
    const answer = await ports.subscriptions.subscribe(destination, target).catch((error: Error) => {
      if (target.to !== "link" || closed.has(target.link)) return "pending" as const;
      failed.push({ link: target.link, error });
      return "not-told" as const;
    });
    return answer === "pending" ? {} : answer;
  };

  const unsubscribe = async (found: Stored<SubscriptionRecord>): Promise<void> => {
    const begun: SubscriptionRecord = { ...found.value, state: "removing" };
    const revision = await rows.write(found.id, begun, found.revision);
    const known = await askedFor(begun);
    if (known === "not-told") return;
    const removing = { ...begun, ...known };
    // Whoever makes it anew ends this arn before.
    const noted = known.arn === begun.arn ? revision : await rows.noteRemoving(found.id, removing, revision);
    if (known.arn !== undefined) await ports.subscriptions.unsubscribe(known.arn);
    await rows.noteRemoving(found.id, undefined, noted);
  };

  const mark = ({ id, revision }: Stored<SubscriptionRecord>, next: SubscriptionRecord) => rows.write(id, next, revision);
  for (const step of reconcileSubscriptions(wanted, subscriptions, now, closed)) {
    if (step.effect === "subscribe") await subscribe(step.wanted, step.found);
    else if (step.effect === "unsubscribe") await unsubscribe(step.found);
    else if (step.effect === "mark-unwanted") await mark(step.found, { ...step.found.value, unwantedSince: now });
    else await mark(step.found, withoutUnwanted(step.found.value));
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

/** What SNS may follow until it is told another filter. */
const asBefore = ({ arn, filter }: SubscriptionRecord): Pick<SubscriptionRecord, "arn" | "filter"> => ({
  ...(arn !== undefined && { arn }),
  ...(filter && { filter }),
});

const withoutUnwanted = ({ unwantedSince: _, ...kept }: SubscriptionRecord): SubscriptionRecord => kept;
