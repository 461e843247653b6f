import { feedsOf } from "../../config/feeds.ts";
import { unionOf } from "../../demand/selectors.ts";
import { isFifo } from "../../destination/fifo.ts";
import { policyFor } from "../../policy/policy.ts";
import type { PresenceRecord } from "../../presence/presence.ts";
import { mostTargets } from "../../routing/delivery.ts";
import { type ChoosyEnd, isFedAlone, type LinkCandidate } from "../../routing/view.ts";
import type { SubscriptionFilter, SubscriptionRecord } from "../records.ts";
import { type Cover, coverOf } from "./cover.ts";
import type { DestinationFacts } from "./facts.ts";
import { filterFor } from "./filters.ts";
import { subscriptionId, type WantedSubscription } from "./subscriptions.ts";
import { viewLife } from "./views.ts";

/** How everybody who subscribes to a topic is served. */
export interface TopicSubscribers {
  readonly wanted: readonly WantedSubscription[];
  /** Ends of clients' subscriptions that have a selector. */
  readonly choosy: readonly ChoosyEnd[];
  readonly links: readonly LinkCandidate[];
  /** Selectors that translate, beyond the filter policies that SNS takes of one topic. */
  readonly unfiltered: number;
}

/**
 * A client's subscription that chooses has a filter policy at SNS if its selector translates, else the feed serves it, or, where that has
 * enough to serve, its client chooses among everything. What it has it keeps: it would miss messages on the way from one to the other.
 * A link's has one policy for all its selectors together; while SNS may still follow another one, the feed serves it, too. SNS doesn't
 * take a FIFO topic's messages to another broker in order: the feed does, for all links. So it does for a stopped link that durable demand is
 * behind, and when that runs again, until SNS does.
 */
export const topicSubscribers = (
  { destination, slice, subscriptions, view }: Pick<DestinationFacts, "destination" | "slice" | "subscriptions" | "view">,
  subscribed: readonly PresenceRecord[],
  candidates: readonly LinkCandidate[],
  now: number,
): TopicSubscribers => {
  const rows = new Map(subscriptions.map(({ id, value }) => [id, value]));
  const idsOf = (has: (row: SubscriptionRecord) => boolean) => [...rows].flatMap(([id, row]) => (has(row) ? [id] : []));
  const filtering = places(
    mostPolicies,
    idsOf(({ filter }) => filter !== undefined),
  );
  const feeding = places(
    mostTargets,
    idsOf(({ fed }) => fed === true),
  );
  const hasFeed = feedsOf(slice).includes(isFifo(destination));
  const unfiltered: string[] = [];

  const filterAt = (id: string, selectors: readonly string[] | undefined): SubscriptionFilter | undefined => {
    const filter = selectors && filterFor(slice, destination, selectors);
    if (!filter || filtering(id)) return filter;
    unfiltered.push(id);
    return undefined;
  };

  const endOf = ({ ownQueue: queue = "", selector }: PresenceRecord): WantedSubscription => {
    const target = { to: "own-queue", queue } as const;
    const id = subscriptionId(target);
    const row = rows.get(id);
    if (selector === undefined) return { target };
    const filter = row?.fed && hasFeed ? undefined : filterAt(id, [selector]);
    const fed = !filter && hasFeed && (row === undefined || row.fed) && feeding(id);
    return { target, ...(filter && { filter }), ...(fed && { fed }) };
  };

  const linkOf = ([link, its]: readonly [LinkCandidate["link"], readonly LinkCandidate[]]): WantedSubscription => {
    const target = { to: "link", link } as const;
    const id = subscriptionId(target);
    const filter = hasFeed ? filterAt(id, unionOf(its)) : undefined;
    const row = rows.get(id);
    const cover = row ? coverOf(row, filter, now) : {};
    return { target, ...(filter && { filter }), ...(cover.fedUntil === undefined ? heldUntil(link) : cover) };
  };

  const heldUntil = (link: LinkCandidate["link"]): Cover => {
    const before = view?.value.candidates.find((one) => one.to === "link" && one.link === link) as LinkCandidate | undefined;
    const fedUntil = before && isFedAlone(before) ? now + slice.subscriptionGrace * 1_000 + viewLife : before?.fedUntil;
    return fedUntil === undefined ? {} : { fedUntil };
  };

  const own = [...new Map(subscribed.filter(({ ownQueue }) => ownQueue !== undefined).map((one) => [one.ownQueue, one])).values()];
  const ends = own.map((presence) => ({ presence, wanted: endOf(presence) }));
  const isPaced = hasFeed && policyFor(slice.destinationPolicies ?? [], destination).rateLimit > 0;
  const towards = isPaced ? candidates.map((one): LinkCandidate => ({ ...one, paced: true })) : candidates;
  const [apart, subscribing] = [towards.filter(isFedAlone), towards.filter((one) => !isFedAlone(one))];
  const links = isFifo(destination) ? [] : [...Map.groupBy(subscribing, ({ link }) => link)].map(linkOf);
  const byFeed = isFifo(destination) ? candidates.length > 0 : apart.length > 0 || links.some(({ fedUntil = 0 }) => fedUntil > now);
  const covers = new Map(links.map(({ target, fedUntil, bySns }) => [subscriptionId(target), { fedUntil, bySns }]));
  return {
    wanted: [
      ...(byFeed || ends.some(({ wanted }) => wanted.fed) ? [{ target: { to: "feed" } } as const] : []),
      ...ends.map(({ wanted }) => wanted),
      ...links,
    ],
    choosy: ends.flatMap(({ presence: { ownQueue: queue = "", selector }, wanted: { fed } }) =>
      selector === undefined ? [] : [{ queue, selectors: [selector], ...(fed && { fed }) }],
    ),
    links: towards.map((one) => {
      const { fedUntil, bySns } = covers.get(subscriptionId({ to: "link", link: one.link })) ?? {};
      return { ...one, ...(fedUntil !== undefined && { fedUntil }), ...(bySns && { bySns }) };
    }),
    unfiltered: unfiltered.length,
  };
};

/** SNS's default quota of one topic. */
const mostPolicies = 200;

/** Is one of `most` places this one's? Who has one keeps it. */
const places = (most: number, taken: readonly string[]): ((id: string) => boolean) => {
  const held = new Set(taken);
  return (id) => held.has(id) || (held.size < most && held.add(id).has(id));
};
