import { reached } from "../model/crossing.ts";
import type { Expectations } from "../model/expectations.ts";
import { kindOf, means } from "../model/names.ts";
import { type Consumer, mayStand, type Way } from "../model/picture.ts";
import { takersOf } from "../model/takers.ts";
import type { Left, Played, Received, Sent } from "../played.ts";
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

const lostToSubscribers = ({ sent, received, ...played }: Played, justified: Justified): readonly string[] =>
  sent.filter(isTopic).flatMap((one) => {
    const got = received.filter(isCopyOf(one)).map(({ who }) => who);
    return readersOwed(one, played, justified)
      .filter(({ who }) => !got.includes(who))
      .map(({ who, at }) => `${named(one)}, sent at ${one.at}, for ${who} at ${at}`);
  });

/** Subscribers that were there, and could be reached, from the beginning to the end. */
const readersOwed = (sent: Sent, { wasWell }: Pick<Played, "wasWell">, { atEach, atLast }: Justified): readonly Consumer[] => {
  if (!sent.isQuiet && !wasWell) return [];
  const moments = sent.isQuiet ? [atLast] : atEach;
  const isServed = (way: Way) => moments.every(({ serves, picture }) => serves(sameWay(picture.ways, way), sent.destination));
  const brokers = reached(atLast.picture, sent.destination, sent.at, isServed);
  return atLast.picture.consumers
    .filter(({ at, key }) => brokers.has(at) && means(key, sent.destination))
    .filter(({ who }) => moments.every(({ picture }) => picture.consumers.some((one) => one.who === who)));
};
const sameWay = (ways: readonly Way[], { link }: Way): Way => ways.find((way) => way.link === link) as Way;

/** What is parked for a link is no second message: its receiver knows what it has. */
const doubles = ({ received, left }: Played): readonly string[] => {
  const queues = [...received, ...left.filter(({ place }) => place === "queue")].filter((copy) => !isTopic(copy)).map(named);
  const topics = received.filter(isTopic).map((copy) => `${named(copy)}, for ${copy.who}`);
  const counts = Map.groupBy([...queues, ...topics], (one) => one);
  return [...counts].filter(([, copies]) => copies.length > 1).map(([one, copies]) => `${one}: ${copies.length} times`);
};

/** Somebody who is there and may have it doesn't get it. What is meant for a link that is stopped waits for its start. */
export const stuckIn = (left: readonly Left[], atLast: Expectations): readonly string[] =>
  left.flatMap((copy) => {
    if (copy.place === "dead-letters" || atLast.picture.ways.some((way) => !way.isOpen && copy.place === `undelivered ${way.link}`))
      return [];
    if (copy.place !== "queue") return [`${named(copy)} in ${copy.place} of ${copy.at}`];
    const takers = takersOf(copy, atLast).map(({ to }) => to);
    return takers.length > 0 ? [`${named(copy)} at ${copy.at}, which ${takers.join(" and ")} would take`] : [];
  });

/** All is well and quiet: whoever gets a topic's message is whom the model names. */
const misled = ({ sent, received, wasWell }: Played, justified: Justified): readonly string[] =>
  sent
    .filter((one) => isTopic(one) && one.isQuiet)
    .flatMap((one) => {
      const owed = readersOwed(one, { wasWell }, justified).map(({ who }) => who);
      return received
        .filter((copy) => isCopyOf(one)(copy) && !owed.includes(copy.who))
        .map(({ who, at }: Received) => `${named(one)}, sent at ${one.at}, came to ${who} at ${at}`);
    });

export const messageLaws: readonly Law[] = [
  { law: "no queue's message is lost", broken: lostFromQueues },
  { law: "no topic's message is lost to a subscriber who was always there", broken: lostToSubscribers },
  { law: "nothing doubles", broken: doubles },
  { law: "no queue holds what somebody present would take", broken: ({ left }, { atLast }) => stuckIn(left, atLast) },
  { law: "when quiet, a topic's message comes to whom demand says and nobody else", broken: misled },
];
