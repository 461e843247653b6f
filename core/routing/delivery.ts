import { isFifo } from "../destination/fifo.ts";
import type { LinkId } from "../ids.ts";
import type { Message } from "../message/message.ts";
import type { PublishReason, Subscriber } from "./plan.ts";
import type { DestinationView } from "./view.ts";
import { wants } from "./wants.ts";

export type Delivery =
  | { readonly deliver: "publish"; readonly why: PublishReason }
  /** To each of these; to nobody, if no selector takes it. */
  | { readonly deliver: "direct"; readonly targets: readonly Subscriber[] };

/** Each target is a send of its own, and the plan is stored whole with its claim. */
export const mostTargets = 12;

/** Where nothing else is known, or asked for. */
export const published = ({ localSubscribers }: Pick<DestinationView, "localSubscribers">): Delivery => ({
  deliver: "publish",
  why: localSubscribers ? "local-subscribers" : "network-demand",
});

/**
 * How a topic message that came over a link is delivered here. *Direct*, to each subscription by ourselves, where all of them are ends that
 * our client reads (a plain reader would see SNS's envelope and the bare body alternate) or inbounds of started links: cheaper, exact, and no
 * echo. Else *publish*: SNS delivers to whoever is subscribed; with a breaker open it holds the copy, which has nowhere to rest here.
 * `onward`: the links that may get this copy.
 */
export const judgeDelivery = (
  message: Message,
  view: DestinationView,
  onward: readonly LinkId[],
  breakers: readonly LinkId[],
): Delivery => {
  const { destination, subscribers, choosy = [] } = view;
  if (isFifo(destination)) return { deliver: "publish", why: "fifo" };
  if (!subscribers) return published(view);
  const { queues, links, foreign } = subscribers;
  if (foreign) return { deliver: "publish", why: "native-subscriber" };
  if (queues.length + onward.length > mostTargets) return { deliver: "publish", why: "too-many-subscribers" };
  if (!onward.every((link) => links.includes(link))) return { deliver: "publish", why: "link-not-started" };
  if (onward.some((link) => breakers.includes(link))) return { deliver: "publish", why: "breaker-open" };
  if (queues.length + onward.length === 0) return published(view);
  const refusing = new Set(choosy.filter((end) => !wants(end, message)).map(({ queue }) => queue));
  const taking = queues.filter((queue) => !refusing.has(queue));
  const targets = [
    ...taking.map((queue) => ({ to: "own-queue", queue }) as const),
    ...onward.map((link) => ({ to: "link", link }) as const),
  ];
  return { deliver: "direct", targets };
};
