import { hasFeedFor } from "../../config/feeds.ts";
import type { BrokerSlice } from "../../config/slice.ts";
import { unionOf } from "../../demand/selectors.ts";
import { isFifo } from "../../destination/fifo.ts";
import type { BrokerId, LinkId } from "../../ids.ts";
import { policyFor } from "../../policy/policy.ts";
import { isFedAlone, type LinkCandidate } from "../../routing/view.ts";
import { type Cover, coverOf } from "./cover.ts";
import type { DestinationFacts } from "./facts.ts";
import type { Filters } from "./filters.ts";
import { longestRun, subscriptionId, type WantedSubscription } from "./subscriptions.ts";
import { viewLife } from "./views.ts";

export interface LinkSubscriptions {
  readonly wanted: readonly WantedSubscription[];
  /** What routing knows of the links, with what each gets by the feed. */
  readonly candidates: readonly LinkCandidate[];
  readonly needFeed: boolean;
}

/**
 * A link has one filter for all its selectors together, unless it leads to another account; while SNS may still follow another one, the
 * feed serves it, too. SNS doesn't take a FIFO topic's messages to another broker in order: the feed does, for all links. So it does where a
 * rate limits what crosses, and for a stopped link that durable demand is behind; and when it needn't any more, until SNS does.
 */
export const linkSubscriptions = (
  { destination, slice, subscriptions, view }: Pick<DestinationFacts, "destination" | "slice" | "subscriptions" | "view">,
  candidates: readonly LinkCandidate[],
  filters: Filters,
  now: number,
): LinkSubscriptions => {
  if (isFifo(destination)) return { wanted: [], candidates, needFeed: candidates.length > 0 };
  const hasFeed = hasFeedFor(slice, destination);
  const rows = new Map(subscriptions.map(({ id, value }) => [id, value]));
  const isPaced = hasFeed && policyFor(slice.destinationPolicies ?? [], destination).rateLimit > 0;
  const towards = isPaced ? candidates.map((one): LinkCandidate => ({ ...one, paced: true })) : candidates;
  const [apart, subscribing] = [towards.filter(isFedAlone), towards.filter((one) => !isFedAlone(one))];

  const before = view?.value.candidates.filter((one) => one.to === "link") ?? [];
  /** What waited for it gets another way now. */
  const givenUp = before.find((one) => isFedAlone(one) && !towards.some(({ link }) => link === one.link));

  const fedBefore = (link: LinkId): Cover => {
    const served = before.find((one) => one.link === link) ?? givenUp;
    const fedUntil = served && isFedAlone(served) ? now + longestRun + slice.subscriptionGrace * 1_000 + viewLife : served?.fedUntil;
    return fedUntil === undefined ? {} : { fedUntil };
  };
  const wantedBy = (link: LinkId, its: readonly LinkCandidate[]): WantedSubscription => {
    const target = { to: "link", link } as const;
    const id = subscriptionId(target);
    const filter = hasFeed && isOwnAccount(slice, link) ? filters.for(id, unionOf(its)) : undefined;
    const row = rows.get(id);
    const cover = row ? coverOf(row, filter, now) : {};
    return { target, ...(filter && { filter }), ...(cover.fedUntil === undefined ? fedBefore(link) : cover) };
  };

  const byLink = new Map([...Map.groupBy(subscribing, ({ link }) => link)].map(([link, its]) => [link, wantedBy(link, its)]));
  const wanted = [...byLink.values()];
  return {
    wanted,
    candidates: towards.map((one) => {
      const { fedUntil, bySns } = byLink.get(one.link) ?? {};
      return { ...one, ...(fedUntil !== undefined && { fedUntil }), ...(bySns && { bySns }) };
    }),
    needFeed: apart.length > 0 || wanted.some(({ fedUntil = 0 }) => fedUntil > now),
  };
};

/** Who confirmed a subscription may own it, and nobody else change it. */
const isOwnAccount = ({ broker, brokers, connectors }: BrokerSlice, link: LinkId): boolean => {
  const accountOf = (id: BrokerId | undefined) => brokers.find((one) => one.id === id)?.account;
  return accountOf(connectors.find((one) => one.link === link)?.to) === accountOf(broker);
};
