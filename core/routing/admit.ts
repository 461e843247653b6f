import { isPermitted, permitsOf } from "../config/permitted.ts";
import type { NetworkConnector } from "../config/slice.ts";
import type { BrokerId } from "../ids.ts";
import type { Message } from "../message/message.ts";
import { hopLimit, hopsSpent } from "./hops.ts";
import type { Plan } from "./plan.ts";

/**
 * What a broker refuses before it routes; undefined: the message is admitted. A queue message is one of a kind and never dropped: what
 * may not be here goes to the dead letters. A topic message is a copy: AWS carries it unasked, so loops and hops end here.
 */
export const judgeAdmission = (
  message: Message,
  self: BrokerId,
  came: NetworkConnector | undefined,
  connectors: readonly NetworkConnector[],
  now: number,
): Plan | undefined => {
  const isCopy = message.destination.kind === "topic";
  if (message.expiration > 0 && message.expiration <= now) return { plan: isCopy ? "drop" : "dead-letter", reason: "expired" };
  if (!came) return undefined;
  if (!isPermitted(permitsOf(came), message.destination)) return { plan: isCopy ? "drop" : "dead-letter", reason: "not-permitted" };
  if (!isCopy) return undefined;
  if (message.brokerPath.includes(self)) return { plan: "drop", reason: "echo" };
  const pathAtSender = message.brokerPath.slice(0, -1);
  return hopsSpent(message, came.from, pathAtSender, connectors) >= hopLimit(came) ? { plan: "drop", reason: "ttl-spent" } : undefined;
};
