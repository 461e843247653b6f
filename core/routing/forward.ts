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
  const visits = message.brokerPath.filter((broker) => broker === connector.to).length;
  if (visits > 0) {
    const until = from + patience(visits);
    if (until <= now) return { verdict: "forward" };
    return Number.isFinite(from) ? { verdict: "wait", why: "replay-delay", until } : { verdict: "suppress", why: "already-visited" };
  }
  const spent = hopsSpent(message, connector.from, message.brokerPath, connectors) >= hopLimit(connector);
  return spent ? { verdict: "suppress", why: "ttl-spent" } : { verdict: "forward" };
};

const longestPause = 3_600_000;

/**
 * Milliseconds that a message rests, besides the delay of its policy, before it goes to a broker once more: none, 1 s, 2 s, 4 s and so on.
 * What brokers send each other though nobody takes it (their conduits ignore selectors) would go to and fro without a pause else.
 */
const patience = (visits: number): number => (visits < 2 ? 0 : Math.min(1_000 * 2 ** (visits - 2), longestPause));
