import { reached } from "../model/crossing.ts";
import type { Expectations } from "../model/expectations.ts";
import { isOrdered, kindOf, means } from "../model/names.ts";
import { type Consumer, mayStand, policyAt, type Way } from "../model/picture.ts";
import { wants } from "../model/selectors.ts";
import { takersOf } from "../model/takers.ts";
import type { Copy, Left, Played, Received, Sent } from "../played.ts";
import type { Justified, Law } from "./law.ts";

const isTopic = ({ destination }: Pick<Sent, "destination">): boolean => kindOf(destination) === "topic";
const isCopyOf = (sent: Pick<Sent, "body" | "destination">) => (copy: Pick<Sent, "body" | "destination">) =>
  copy.body === sent.body && copy.destination === sent.destination;
const named = ({ body, destination }: Pick<Sent, "body" | "destination">): string => `${body} to ${destination}`;

/** Nobody has it, and nobody had to give it up. */
const lostFromQueues = ({ sent, received, left }: Played, { atLast }: Justified): readonly string[] =>
  sent
    .filter((one) => !isTopic(one) && mayStand(atLast.picture, one.at, one.destination))
    .filter((one) => !received.some(isCopyOf(one)) && !left.some((copy) => copy.place !== "dead-letters" && isCopyOf(one)(copy)))
    .map((one) => `${named(one)}, sent at ${one.at}`);

const lostTo =
  (isMeant: (consumer: Consumer) => boolean) =>
  ({ sent, received, ...played }: Played, justified: Justified): readonly string[] =>
    sent.filter(isTopic).flatMap((one) => {
      const got = received.filter(isCopyOf(one)).map(({ who }) => who);
      return readersOwed(one, played, justified)
        .filter((consumer) => isMeant(consumer) && !got.includes(consumer.who))
        .map(({ who, at }) => `${named(one)}, sent at ${one.at}, for ${who} at ${at}`);
    });

/** Subscribers that were there, and could be reached, from the beginning to the end. */
const readersOwed = (sent: Sent, { wasWell }: Pick<Played, "wasWell">, { atEach, atLast }: Justified): readonly Consumer[] => {
  if (!sent.isQuiet && !wasWell) return [];
  const moments = sent.isQuiet ? [atLast] : atEach;
  const isServed = (way: Way) =>
    way.isOpen &&
    (sent.isQuiet || !way.mayLapse) &&
    moments.every(({ serves, picture }) => serves(sameWay(picture.ways, way), sent.destination, sent.about));
  return readersBehind(sent, atLast, isServed).filter(({ who }) =>
    moments.every(({ picture }) => picture.consumers.some((one) => one.who === who)),
  );
};

const readersBehind = (sent: Sent, { picture }: Expectations, isServed: (way: Way) => boolean): readonly Consumer[] => {
  const brokers = reached(picture, sent.destination, sent.at, isServed);
  return picture.consumers.filter((one) => brokers.has(one.at) && means(one.key, sent.destination) && takes(one, sent));
};
const takes = ({ who, selector, noLocal }: Consumer, { about, by }: Pick<Sent, "about" | "by">): boolean =>
  wants(selector === undefined ? {} : { selectors: [selector] }, about) && !(noLocal && by === who);
const sameWay = (ways: readonly Way[], { link }: Way): Way => ways.find((way) => way.link === link) as Way;

/**
 * What is parked for a link is no second message: its receiver knows what it has. Without an audit a topic's comes by every way, and a queue's
 * again when somebody repeats what he did, or a
 * composite's other part isn't there yet.
 */
const doubles = ({ sent, received, left, repeats }: Played, { atLast: { picture } }: Justified): readonly string[] => {
  const partsOf = Map.groupBy(sent, ({ body }) => body);
  const mayRepeat = ({ body }: Copy): boolean => repeats || (partsOf.get(body)?.length ?? 0) > 1;
  const isAudited = (copy: Copy): boolean =>
    picture.brokers.every(({ id }) => policyAt(picture, id, copy.destination).enableAudit) || (!isTopic(copy) && !mayRepeat(copy));
  const audited = received.filter(isAudited);
  const queues = [...audited, ...left.filter((copy) => copy.place === "queue" && isAudited(copy))]
    .filter((copy) => !isTopic(copy))
    .map(named);
  const topics = audited.filter(isTopic).map((copy) => `${named(copy)}, for ${copy.who}`);
  const counts = Map.groupBy([...queues, ...topics], (one) => one);
  return [...counts].filter(([, copies]) => copies.length > 1).map(([one, copies]) => `${one}: ${copies.length} times`);
};

/** Milliseconds: what has gone to and fro so often that it pauses for longer goes when its time has come. */
const longPause = 300_000;

/** What keeps order waits behind what nobody would take. */
const isBehind = (copy: Left, left: readonly Left[], atLast: Expectations): boolean =>
  isOrdered(copy.destination) &&
  left
    .slice(0, left.indexOf(copy))
    .some(
      (other) =>
        other.place === "queue" && other.at === copy.at && other.destination === copy.destination && takersOf(other, atLast).length === 0,
    );

/** Somebody who is there and may have it doesn't get it. What is meant for a link that is stopped waits for its start. */
export const stuckIn = (left: readonly Left[], atLast: Expectations): readonly string[] =>
  left.flatMap((copy) => {
    if (copy.place === "dead-letters" || atLast.picture.ways.some((way) => !way.isOpen && copy.place === `undelivered ${way.link}`))
      return [];
    if (copy.place !== "queue") return [`${named(copy)} in ${copy.place} of ${copy.at}`];
    const takers = isBehind(copy, left, atLast) ? [] : takersOf(copy, atLast).flatMap(({ to, wait }) => (wait < longPause ? [to] : []));
    return takers.length > 0 ? [`${named(copy)} at ${copy.at}, which ${takers.join(" and ")} would take`] : [];
  });

/**
 * All is well and quiet: whoever gets a topic's message is whom the model names. What SNS can't filter crosses whatever it says about itself,
 * and is for whoever wants it there.
 */
const misled = ({ sent, received }: Played, { atLast }: Justified): readonly string[] =>
  sent
    .filter((one) => isTopic(one) && one.isQuiet)
    .flatMap((one) => {
      const mayHave = readersBehind(one, atLast, (way) => way.isOpen && atLast.isServed(way, one.destination)).map(({ who }) => who);
      return received
        .filter((copy) => isCopyOf(one)(copy) && !mayHave.includes(copy.who))
        .map(({ who, at }: Received) => `${named(one)}, sent at ${one.at}, came to ${who} at ${at}`);
    });

/** The next client of a durable subscription has another connection: what the last one sent is for it (spec SEL-21). */
const refused = ({ sent, received, pictures }: Played): readonly string[] => {
  const consumers = new Map(pictures.flatMap((one) => one.consumers).map((one) => [one.who, one]));
  return received
    .filter((copy) => {
      const [consumer, { by } = {}] = [consumers.get(copy.who), sent.find(isCopyOf(copy))];
      return consumer && !takes(consumer, { about: copy.about, ...(by !== undefined && !consumer.durable && { by }) });
    })
    .map((copy) => `${named(copy)}, which says ${JSON.stringify(copy.about)}, came to ${copy.who}`);
};

/**
 * Of those that came to somebody the same way, without going back. Between brokers that several connectors join there is no one way when one
 * of these is stopped.
 */
const outOfOrder = ({ sent, received }: Played, { atLast: { picture } }: Justified): readonly string[] => {
  const turns = new Map(sent.map(({ body, destination, series }, turn) => [named({ body, destination }), { turn, series }]));
  const isSure = ({ path, at }: Received): boolean =>
    new Set([...path, at]).size === path.length + 1 &&
    path.every((from, index) => picture.ways.filter((way) => way.from === from && way.to === (path[index + 1] ?? at)).length === 1);
  const came = received.filter(isSure).flatMap((copy) => {
    const { turn = 0, series } = turns.get(named(copy)) ?? {};
    return series === undefined
      ? []
      : [{ what: `${named(copy)} (${series}), for ${copy.who}`, turn, row: [series, copy.who, ...copy.path].join() }];
  });
  return [...Map.groupBy(came, ({ row }) => row).values()].flatMap((those) =>
    those.filter(({ turn }, index) => those.slice(0, index).some((before) => before.turn > turn)).map(({ what }) => what),
  );
};

export const messageLaws: readonly Law[] = [
  { law: "no queue's message is lost", broken: lostFromQueues },
  { law: "no topic's message is lost to a subscriber who was always there", broken: lostTo(({ durable }) => !durable) },
  { law: "a durable subscription misses nothing, whether or not its client is there", broken: lostTo(({ durable }) => durable === true) },
  { law: "nothing doubles", broken: doubles },
  { law: "what keeps order comes to each in the order in which it was sent", broken: outOfOrder },
  { law: "nobody gets what its selector refuses, or its own connection published", broken: refused },
  { law: "no queue holds what somebody present would take", broken: ({ left }, { atLast }) => stuckIn(left, atLast) },
  { law: "when quiet, a topic's message comes to whom demand says and nobody else", broken: misled },
];
