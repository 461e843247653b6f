import { isPermitted, permitsOf } from "../config/permitted.ts";
import type { NetworkConnector } from "../config/slice.ts";
import type { BrokerId } from "../ids.ts";
import type { FoundExpired } from "../message/dead-letter.ts";
import type { Message } from "../message/message.ts";
import type { PolicyValues } from "../policy/policy.ts";
import { isExpired, planExpired } from "./expiry.ts";
import { hopLimit, hopsSpent } from "./hops.ts";
import type { Plan } from "./plan.ts";

/** Where a message meets a broker. */
export interface Admission {
  readonly self: BrokerId;
  /** The connector that it came over; a producer's message came over none. */
  readonly came?: NetworkConnector | undefined;
  readonly connectors: readonly NetworkConnector[];
  readonly policy: PolicyValues;
  /** Its consumer found it expired. */
  readonly foundExpired?: FoundExpired | undefined;
  readonly now: number;
}

/**
 * What a broker refuses before it routes; undefined: the message is admitted. What has expired is its policy's. A queue message is one of a
 * kind and never dropped otherwise: what may not be here goes to the dead letters. A topic message is a copy: AWS carries it unasked, so
 * loops and hops end here.
 */
export const judgeAdmission = (message: Message, { self, came, connectors, policy, foundExpired, now }: Admission): Plan | undefined => {
  const isCopy = message.destination.kind === "topic";
  if (foundExpired || isExpired(message, now)) return planExpired(message, policy, now, foundExpired?.subscription);
  if (!came) return undefined;
  if (!isPermitted(permitsOf(came), message.destination)) return { plan: isCopy ? "drop" : "dead-letter", reason: "not-permitted" };
  if (!isCopy) return undefined;
  if (message.brokerPath.includes(self)) return { plan: "drop", reason: "echo" };
  const pathAtSender = message.brokerPath.slice(0, -1);
  return hopsSpent(message, came.from, pathAtSender, connectors) >= hopLimit(came) ? { plan: "drop", reason: "ttl-spent" } : undefined;
};
