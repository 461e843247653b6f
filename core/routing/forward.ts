import type { NetworkConnector } from "../config/slice.ts";
import { isPermitted, permitsOf } from "../demand/permitted.ts";
import type { Message } from "../message/message.ts";
import { hopLimit, hopsSpent } from "./hops.ts";

export type ForwardVerdict =
  | { readonly verdict: "forward" }
  | { readonly verdict: "suppress"; readonly why: "not-permitted" | "already-visited" | "ttl-spent" };

/**
 * May this message cross this connector? Permission of the concrete name, the loop test on the copy's path (spec FLT-1), the hop
 * test on the distance from its origin (spec TTL-2). A messageTTL of -1 is no limit, 0 forwards nothing.
 */
export const judgeForward = (message: Message, connector: NetworkConnector, connectors: readonly NetworkConnector[]): ForwardVerdict => {
  if (!isPermitted(permitsOf(connector), message.destination)) return { verdict: "suppress", why: "not-permitted" };
  if (message.brokerPath.includes(connector.to)) return { verdict: "suppress", why: "already-visited" };
  const spent = hopsSpent(message, connector.from, message.brokerPath, connectors) >= hopLimit(connector);
  return spent ? { verdict: "suppress", why: "ttl-spent" } : { verdict: "forward" };
};
