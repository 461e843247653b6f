import { isPermitted, permitsOf } from "../config/permitted.ts";
import type { NetworkConnector } from "../config/slice.ts";
import type { Message } from "../message/message.ts";
import { hopLimit, hopsSpent } from "./hops.ts";
import { noReplay, type Replay } from "./replay.ts";

export type ForwardVerdict =
  | { readonly verdict: "forward" }
  | { readonly verdict: "suppress"; readonly why: "not-permitted" | "already-visited" | "ttl-spent" }
  /** It may when its time has come. */
  | { readonly verdict: "wait"; readonly why: "replay-delay" | "rate-limit"; readonly until: number };

/**
 * May this message cross this connector? Permission of the concrete name, the loop test on the copy's path (spec FLT-1), the hop
 * test on the distance from its origin (spec TTL-2). A messageTTL of -1 is no limit, 0 forwards nothing. A replay asks for no hops.
 */
export const judgeForward = (
  message: Message,
  connector: NetworkConnector,
  connectors: readonly NetworkConnector[],
  { from, now }: Replay = noReplay,
): ForwardVerdict => {
  if (!isPermitted(permitsOf(connector), message.destination)) return { verdict: "suppress", why: "not-permitted" };
  if (message.brokerPath.includes(connector.to)) {
    if (from <= now) return { verdict: "forward" };
    return Number.isFinite(from) ? { verdict: "wait", why: "replay-delay", until: from } : { verdict: "suppress", why: "already-visited" };
  }
  const spent = hopsSpent(message, connector.from, message.brokerPath, connectors) >= hopLimit(connector);
  return spent ? { verdict: "suppress", why: "ttl-spent" } : { verdict: "forward" };
};
