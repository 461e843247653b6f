import { destinationKey } from "../destination/destination.ts";
import { isPlain } from "../destination/plain.ts";
import { headerAttribute } from "../message/attributes.ts";
import { deadLetterOf } from "../message/dead-letter.ts";
import { encodePublish } from "../message/encode.ts";
import type { Message, WireMessage } from "../message/message.ts";
import { deadLettersFor } from "../policy/dead-letters.ts";
import type { PolicyValues } from "../policy/policy.ts";
import type { Plan } from "./plan.ts";

type Expiring = Pick<PolicyValues, "deadLetterStrategy" | "expireMessagesPeriod">;

export const isExpired = ({ expiration }: Pick<Message, "expiration">, now: number): boolean => expiration > 0 && expiration <= now;

/**
 * What has expired goes where its policy wants it, or nowhere (spec FWD-5, FWD-8); to the broker's own dead letters where that isn't the name
 * of one destination, as a client's or subscription's may make it. `subscription`: the durable one that it came from.
 */
export const planExpired = (message: Message, { deadLetterStrategy: strategy }: Expiring, now: number, subscription?: string): Plan => {
  const to = deadLettersFor(strategy, message, subscription);
  if (to === undefined || strategy.strategy === "discarding") return { plan: "drop", reason: "expired" };
  const died = { plan: "dead-letter", reason: "expired", why: `Message Expired. Expiration:${message.expiration}` } as const;
  if (!isPlain(to)) return died;
  return { ...died, to, ...(strategy.expiration > 0 && { expiration: now + strategy.expiration }) };
};

/** A message that rests is looked at when it has expired; what rests beside it isn't looked at more often than once in a period. */
export const untilExpiry = (plan: Plan, { expiration }: Message, { expireMessagesPeriod: period }: Expiring, now: number): Plan => {
  if (plan.plan !== "rest" || expiration === 0 || period === 0) return plan;
  return { ...plan, until: Math.min(plan.until ?? Number.POSITIVE_INFINITY, Math.max(expiration, now + period)) };
};

/** A message that its consumer finds expired, as it sends it to its broker's ingress, which counts and buries it; undefined: its policy drops it. */
export const reportedExpired = (
  received: WireMessage,
  message: Message,
  { deadLetterStrategy }: Expiring,
  subscription?: string,
): WireMessage | undefined => {
  if (!deadLettersFor(deadLetterStrategy, message)) return undefined;
  // SNS's envelope has the header inside.
  const wire = received.attributes[headerAttribute] ? received : encodePublish(message);
  return deadLetterOf(wire, { reason: "expired", destination: destinationKey(message.destination), subscription });
};
