import type { NetworkConnector } from "../config/slice.ts";
import { isFifo } from "../destination/fifo.ts";
import type { Message } from "../message/message.ts";
import type { Waiting } from "./order.ts";
import type { Plan } from "./plan.ts";
import { mayGet, planFor } from "./route.ts";
import { type DestinationView, isFedAlone, type LinkCandidate } from "./view.ts";
import { wants } from "./wants.ts";

/**
 * Where a message on a feed goes: to those ends of subscriptions that SNS doesn't serve, and to links, each by itself: behind one that
 * doesn't take it, it is parked for that one. To each only if one of its selectors takes the message.
 */
export const planFeed = (
  message: Message,
  { destination, candidates, choosy = [] }: DestinationView,
  connectors: readonly NetworkConnector[],
  { forLinks }: Pick<Waiting, "forLinks">,
): readonly Plan[] => {
  const ends = choosy.flatMap((end) => (end.fed && wants(end, message) ? [{ to: "own-queue", queue: end.queue } as const] : []));
  const links = candidates.flatMap((one) =>
    one.to === "link" && isFed(one, message) && wants(one, message) && mayGet(one, message, connectors) ? [[one.link, one] as const] : [],
  );
  const toLinks = [...new Map(links).values()].map((candidate): Plan => {
    const held = candidate.stopped ? "link-stopped" : forLinks.get(candidate.link);
    return held ? { plan: "park", link: candidate.link, destination, reason: held } : planFor(candidate, { destination });
  });
  const toEnds: Plan[] = ends.length > 0 ? [{ plan: "fan-out", targets: ends, destination, reason: "selected" }] : [];
  const plans = [...toEnds, ...toLinks];
  return plans.length > 0 ? plans : [{ plan: "drop", reason: "no-subscriber" }];
};

/** SNS takes no FIFO topic's messages to another broker in order, and nothing to a link that is stopped, or limited. */
const isFed = (candidate: LinkCandidate, message: Message): boolean =>
  isFifo(message.destination) || isFedAlone(candidate) || mayBeHeldBack(candidate, message);

/** By a filter that SNS still follows. */
const mayBeHeldBack = ({ fedUntil = 0, bySns = [] }: LinkCandidate, message: Message): boolean =>
  message.timestamp <= fedUntil && !wants({ selectors: bySns }, message);
