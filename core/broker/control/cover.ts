import type { SubscriptionFilter, SubscriptionRecord } from "../records.ts";
import { isStanding } from "./subscriptions.ts";

/** The feed serves a link, too, while SNS may follow another filter than the one that is wanted. */
export type Cover = Pick<SubscriptionRecord, "fedUntil" | "bySns">;

/** Changed filters take SNS up to fifteen minutes; clocks of producers may be wrong. */
const untilFiltered = 20 * 60_000;

/** What SNS may hold back is fed. It goes on for as long as an earlier change asked for. */
export const coverOf = (row: SubscriptionRecord, wanted: SubscriptionFilter | undefined, now: number): Cover => {
  const isSure = isStanding(row, now);
  if (mayHoldBack(row, wanted, isSure)) return { fedUntil: now + untilFiltered, bySns: isSure ? letPass(row, now) : [] };
  const { fedUntil, bySns } = row;
  return { ...(fedUntil !== undefined && { fedUntil }), ...(bySns && { bySns }) };
};

/** Does the filter that SNS may still follow hold back what the wanted one lets pass? */
const mayHoldBack = (
  { state, arn, filter: known }: SubscriptionRecord,
  wanted: SubscriptionFilter | undefined,
  isSure: boolean,
): boolean => {
  if (state === "removing") return false;
  // Who began it may be slow, and tell his filter when another one is told already.
  if (arn === undefined) return state === "subscribing" && known !== undefined && known.policy !== wanted?.policy;
  if (state === "subscribing") return true; // another filter may have been told before that broke off
  if (!isSure) return known !== undefined || wanted !== undefined;
  return known !== undefined && known.policy !== wanted?.policy && !isPartOf(known, wanted);
};

/** Less is asked for than before. */
const isPartOf = (known: SubscriptionFilter, wanted: SubscriptionFilter | undefined): boolean =>
  wanted !== undefined &&
  wanted.selectors.length < known.selectors.length &&
  wanted.selectors.every((selector) => known.selectors.includes(selector));

/** Selectors of the filter that stands, and of each earlier one that SNS may still follow. */
const letPass = ({ filter, fedUntil = 0, bySns = [] }: SubscriptionRecord, now: number): readonly string[] => {
  const selectors = filter?.selectors ?? [];
  return fedUntil > now ? selectors.filter((selector) => bySns.includes(selector)) : selectors;
};
