import type { DestinationKey } from "../../destination/destination.ts";
import type { LinkId } from "../../ids.ts";
import type { Stored, SubscriptionTarget } from "../../ports.ts";
import type { SubscriptionRecord } from "../records.ts";

/** Unsubscribing drops what SNS is still retrying, so a subscription stays a minute after its last demand, unless its link's peer is going. */
const damping = 60_000;

export type SubscriptionEffect =
  | { readonly effect: "subscribe"; readonly target: SubscriptionTarget; readonly found: Stored<SubscriptionRecord> | undefined }
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
  wanted: readonly SubscriptionTarget[],
  existing: readonly Stored<SubscriptionRecord>[],
  now: number,
  closed: ReadonlySet<LinkId> = new Set(),
): readonly SubscriptionEffect[] => {
  const found = new Map(existing.map((stored) => [stored.id, stored]));
  const wantedIds = new Set(wanted.map(subscriptionId));
  return [
    ...wanted.flatMap((target): SubscriptionEffect[] => {
      const known = found.get(subscriptionId(target));
      if (known?.value.state !== "subscribed" || known.value.doubted) return [{ effect: "subscribe", target, found: known }];
      return known.value.unwantedSince === undefined ? [] : [{ effect: "keep", found: known }];
    }),
    ...existing.filter(({ id }) => !wantedIds.has(id)).flatMap((stored): SubscriptionEffect[] => unwanted(stored, now, closed)),
  ];
};

const unwanted = (found: Stored<SubscriptionRecord>, now: number, closed: ReadonlySet<LinkId>): SubscriptionEffect[] => {
  const { state, unwantedSince, target } = found.value;
  const isOver = target.to === "own-queue" || (target.to === "link" && closed.has(target.link));
  if (state !== "subscribed" || isOver) return [{ effect: "unsubscribe", found }];
  if (unwantedSince === undefined) return [{ effect: "mark-unwanted", found }];
  return now - unwantedSince >= damping ? [{ effect: "unsubscribe", found }] : [];
};

/** When a topic's subscriptions have to be looked at again: a grace or a damping that is running. */
export const nextLook = (existing: readonly Stored<SubscriptionRecord>[], now: number): number | undefined => {
  const moments = existing.flatMap(({ value: { unwantedSince, effectiveAt } }) => [
    effectiveAt,
    unwantedSince === undefined ? 0 : unwantedSince + damping,
  ]);
  const ahead = moments.filter((moment) => moment > now);
  return ahead.length > 0 ? Math.min(...ahead) : undefined;
};

export const newSubscription = (topic: DestinationKey, target: SubscriptionTarget): SubscriptionRecord => ({
  topic,
  target,
  state: "subscribing",
  effectiveAt: 0,
});
