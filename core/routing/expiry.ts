import type { Message } from "../message/message.ts";
import { deadLettersFor } from "../policy/dead-letters.ts";
import type { PolicyValues } from "../policy/policy.ts";
import type { Plan } from "./plan.ts";

type Expiring = Pick<PolicyValues, "deadLetterStrategy" | "expireMessagesPeriod">;

export const isExpired = ({ expiration }: Pick<Message, "expiration">, now: number): boolean => expiration > 0 && expiration <= now;

/** What has expired goes where its policy wants it, or nowhere (spec FWD-5, FWD-8). */
export const planExpired = (message: Message, { deadLetterStrategy: strategy }: Expiring, now: number): Plan => {
  const to = deadLettersFor(strategy, message);
  if (to === undefined || strategy.strategy === "discarding") return { plan: "drop", reason: "expired" };
  const keeps = strategy.expiration > 0 && { expiration: now + strategy.expiration };
  return { plan: "dead-letter", reason: "expired", why: `Message Expired. Expiration:${message.expiration}`, to, ...keeps };
};

/** A message that rests is looked at when it has expired; what rests beside it isn't looked at more often than once in a period. */
export const untilExpiry = (plan: Plan, { expiration }: Message, { expireMessagesPeriod: period }: Expiring, now: number): Plan => {
  if (plan.plan !== "rest" || expiration === 0 || period === 0) return plan;
  return { ...plan, until: Math.min(plan.until ?? Number.POSITIVE_INFINITY, Math.max(expiration, now + period)) };
};
