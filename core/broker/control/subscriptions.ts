import type { DestinationKey } from "../../destination/destination.ts";
import type { LinkId } from "../../ids.ts";
import type { Stored, SubscriptionTarget } from "../../ports.ts";
import type { SubscriptionFilter, SubscriptionRecord } from "../records.ts";

/** Whoever judges is done by then, however slow. */
export const longestRun = 60_000;

/**
 * Unsubscribing drops what SNS is still retrying, so a subscription stays a minute after its last demand, unless its link's peer is going. One
 * that is on its way in may be somebody's who is slow: he is done by then.
 */
const damping = longestRun;

/** A subscription that should stand, and how its messages come. */
export interface WantedSubscription {
  readonly target: SubscriptionTarget;
  readonly filter?: SubscriptionFilter;
  readonly fed?: true;
  readonly fedUntil?: number;
  readonly bySns?: readonly string[];
}

export type SubscriptionEffect =
  /** Or told SNS another filter. */
  | { readonly effect: "subscribe"; readonly wanted: WantedSubscription; readonly found: Stored<SubscriptionRecord> | undefined }
  | { readonly effect: "keep"; readonly found: Stored<SubscriptionRecord> }
  | { readonly effect: "mark-unwanted"; readonly found: Stored<SubscriptionRecord> }
  | { readonly effect: "unsubscribe"; readonly found: Stored<SubscriptionRecord> };

export const subscriptionId = (target: SubscriptionTarget): string => {
  switch (target.to) {
    case "link":
      return `link|${target.link}`;
    case "own-queue":
      return `own|${target.queue}`;
    case "feed":
      return "feed";
    default:
      return target satisfies never;
  }
};

/**
 * Wanted against existing. A subscription on its way in or out is finished whatever became of it: demand that finds `removing` repeats
 * that arn's Unsubscribe before it subscribes anew, so that a late Unsubscribe hits a dead arn.
 */
export const reconcileSubscriptions = (
  wanted: readonly WantedSubscription[],
  existing: readonly Stored<SubscriptionRecord>[],
  now: number,
  closed: ReadonlySet<LinkId> = new Set(),
): readonly SubscriptionEffect[] => {
  const found = new Map(existing.map((stored) => [stored.id, stored]));
  const wantedIds = new Set(wanted.map(({ target }) => subscriptionId(target)));
  return [
    ...wanted.flatMap((one): SubscriptionEffect[] => {
      const known = found.get(subscriptionId(one.target));
      if (!known || !isStanding(known.value, now) || !isAlike(known.value, one))
        return [{ effect: "subscribe", wanted: one, found: known }];
      return known.value.unwantedSince === undefined ? [] : [{ effect: "keep", found: known }];
    }),
    ...existing.filter(({ id }) => !wantedIds.has(id)).flatMap((stored): SubscriptionEffect[] => unwanted(stored, now, closed)),
  ];
};

/** SNS has it, or the feed. */
export const isStanding = ({ state, doubtedFrom = Number.POSITIVE_INFINITY }: SubscriptionRecord, now: number): boolean =>
  state === "subscribed" && now < doubtedFrom;

/** It is standing, wanted or not, and doesn't end by this judgement. */
export const isDelivered = (subscription: SubscriptionRecord, now: number): boolean =>
  isStanding(subscription, now) && now - (subscription.unwantedSince ?? now) < damping;

const isAlike = (known: SubscriptionRecord, wanted: WantedSubscription): boolean =>
  known.filter?.policy === wanted.filter?.policy && known.fed === wanted.fed;

const unwanted = (found: Stored<SubscriptionRecord>, now: number, closed: ReadonlySet<LinkId>): SubscriptionEffect[] => {
  const { state, unwantedSince, target } = found.value;
  const isOver = target.to === "own-queue" || (target.to === "link" && closed.has(target.link));
  if (state === "removing" || (state === "subscribed" && isOver)) return [{ effect: "unsubscribe", found }];
  if (unwantedSince === undefined) return [{ effect: "mark-unwanted", found }];
  return now - unwantedSince >= damping ? [{ effect: "unsubscribe", found }] : [];
};

/** When a topic's subscriptions have to be looked at again: a grace or a damping that is running, a doubt, an end that SNS wasn't told. */
export const nextLook = (existing: readonly Stored<SubscriptionRecord>[], now: number): number | undefined => {
  const moments = existing.flatMap(({ value: { state, unwantedSince, effectiveAt, fedUntil = 0, doubtedFrom = 0 } }) => [
    effectiveAt,
    fedUntil,
    doubtedFrom,
    unwantedSince === undefined ? 0 : unwantedSince + damping,
    state === "removing" ? now + damping : 0,
  ]);
  const ahead = moments.filter((moment) => moment > now);
  return ahead.length > 0 ? Math.min(...ahead) : undefined;
};

export const newSubscription = (topic: DestinationKey, { target, fed, fedUntil, bySns }: WantedSubscription): SubscriptionRecord => ({
  topic,
  target,
  state: "subscribing",
  effectiveAt: 0,
  ...(fed && { fed }),
  ...(fedUntil !== undefined && { fedUntil }),
  ...(bySns && { bySns }),
});
