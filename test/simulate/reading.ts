import { feedsOf } from "../../core/config/feeds.ts";
import { lanesOf } from "../../core/config/ordered.ts";
import type { DemandGroup } from "../../core/demand/demand.ts";
import { type Destination, destinationKey, destinationOf } from "../../core/destination/destination.ts";
import type { DestinationView } from "../../core/routing/view.ts";
import type { SimulatedNetwork } from "../support/simulator/network.ts";
import type { Candidate, Route } from "./model/demand.ts";
import type { Found, Left, Sent } from "./played.ts";

/** Whose queue this is, if it is the end of somebody's topic subscription. */
export type WhoReads = (queueArn: string) => string | undefined;

/** Dispatch serves those whom SNS can't. */
export const feed = "the feed";

/** What the brokers' tables and topics say. */
export const readFound = (net: SimulatedNetwork, whoReads: WhoReads): Found => {
  const brokers = net.brokers().map(({ slice, brain, where }) => ({ at: slice.broker, slice, brain, where }));
  return {
    told: brokers.flatMap(({ at, brain }) =>
      brain.all("demand").map(({ destination, groups }) => ({ at, key: destination, routes: groups.map(routeOf) })),
    ),
    learnt: brokers.flatMap(({ brain }) =>
      brain.all("learnt").map(({ link, destination, groups }) => ({ link, key: destination, routes: groups.map(routeOf) })),
    ),
    views: brokers.flatMap(({ at, brain }) => brain.all("view").map((view) => ({ at, ...seenIn(view) }))),
    subscribed: brokers.flatMap(({ at, slice, brain, where }) => {
      const inbounds = new Map(slice.connectors.filter(({ from }) => from === at).map(({ link }) => [where.inbound(link)?.arn, link]));
      const feeds = feedsOf(slice).map((fifo) => where.own.queueArn(where.own.feedQueue(fifo)));
      return brain
        .all("view")
        .filter(isOfTopic)
        .map(({ destination }) => ({
          at,
          key: destinationKey(destination),
          ends: net.cloud.topics
            .subscriptions(where.topicOf(destination).arn)
            .filter(({ queueArn }) => net.cloud.queues.exists(queueArn)) // what ends at a queue that is gone delivers nothing
            .map(({ queueArn }) => inbounds.get(queueArn) ?? whoReads(queueArn) ?? (feeds.includes(queueArn) ? feed : queueArn)),
        }));
    }),
  };
};

const routeOf = ({ durable, ...group }: DemandGroup): Route => ({
  ...group,
  ...(durable && { durable: true, ...(durable.waits && { waits: true }) }),
});

const isOfTopic = ({ destination }: { readonly destination: Destination }): boolean => destination.kind === "topic";

const seenIn = ({ destination, candidates, localSubscribers }: DestinationView) => ({
  key: destinationKey(destination),
  hasSubscribers: localSubscribers,
  candidates: candidates.map(
    (one): Candidate => ({
      to: one.to === "link" ? one.link : one.to,
      priority: one.priority,
      weight: one.weight,
      ...(one.selectors && { selectors: one.selectors }),
      ...(one.to === "link" && one.isStatic && { isStatic: true }),
    }),
  ),
});

const ours = /\bm\d+\b/;

/** Copies that stand in queues, but for those that nobody will read any more: in the queues of topic subscribers who left. */
export const readLeft = (net: SimulatedNetwork, sentAs: (body: string) => readonly Sent[]): readonly Left[] =>
  net.brokers().flatMap(({ slice: { network, broker: at, connectors }, where }) => {
    const prefix = `spanmq-${network}-${at}-`;
    const places = new Map([
      [where.own.queueArn(where.own.deadLettersQueue), "dead-letters"],
      ...connectors.flatMap((connector) =>
        lanesOf(connector).map((lane) => [where.undelivered(connector.link, lane)?.arn ?? "", `undelivered ${connector.link}`] as const),
      ),
    ]);
    const arns = net.cloud.queues.arns().filter((arn) => arn.includes(prefix) && !arn.endsWith("sys-control"));
    return arns.flatMap((arn) =>
      net.cloud.queues.peek(arn).flatMap(({ body: text, attributes }): Left[] => {
        const body = ours.exec(text)?.[0];
        const sent = body === undefined ? [] : sentAs(body);
        const destinations = sent.map(({ destination }) => destination);
        const isOwn = arn.includes(`${prefix}s-`);
        if (body === undefined || (isOwn && destinations.every((key) => key.startsWith("topic:")))) return [];
        const header = JSON.parse(attributes.SpanMQ?.value ?? "{}") as { readonly path?: readonly string[]; readonly destination?: string };
        const here = destinations.find((key) => where.queueOf({ to: "queue", destination: destinationOf(key) }).arn === arn);
        const place = here ? "queue" : (places.get(arn) ?? arn.slice(arn.indexOf(prefix) + prefix.length));
        return [
          {
            body,
            at,
            place,
            destination: here ?? header.destination ?? destinations[0] ?? "",
            path: header.path ?? [],
            about: sent[0]?.about ?? {},
          },
        ];
      }),
    );
  });
