import { type Candidate, choice, inWords } from "../model/demand.ts";
import type { Expectations } from "../model/expectations.ts";
import { isOrdered, isPattern, kindOf, means } from "../model/names.ts";
import { listens, permits, policyAt, type Way } from "../model/picture.ts";
import type { Found, Played } from "../played.ts";
import { feed } from "../reading.ts";
import type { Justified, Law } from "./law.ts";

/** What is there and what should be, of one thing. */
interface Comparison {
  readonly of: string;
  readonly is: string;
  readonly wanted: string;
}
type Compare = (found: Found, expectations: Expectations) => readonly Comparison[];

const brokersOf = ({ picture }: Expectations): readonly string[] => picture.brokers.map(({ id }) => id);
const unlessNothing = (words: string): string => words || "nothing";

const told: Compare = (found, expectations) =>
  brokersOf(expectations).flatMap((at) => {
    const here = found.told.filter((one) => one.at === at);
    const keys = new Set([...expectations.keys, ...here.map(({ key }) => key)]);
    return [...keys].map((key) => ({
      of: `${at} about ${key}`,
      is: unlessNothing(inWords(here.find((one) => one.key === key)?.routes ?? [])),
      wanted: unlessNothing(inWords(expectations.keys.includes(key) ? expectations.told(at, key) : [])),
    }));
  });

const learnt: Compare = (found, expectations) =>
  expectations.picture.ways.flatMap((way) => {
    const here = found.learnt.filter(({ link }) => link === way.link);
    const keys = new Set([...expectations.keys, ...here.map(({ key }) => key)]);
    const isHeard = (key: string): boolean => expectations.keys.includes(key) && listens(way, key) && permits(way, key);
    return [...keys].map((key) => ({
      of: `${way.link} about ${key}`,
      is: unlessNothing(inWords(here.find((one) => one.key === key)?.routes ?? [])),
      wanted: unlessNothing(inWords(isHeard(key) ? expectations.told(way.to, key) : [])),
    }));
  });

/** What is known at a broker, and what must be there by its own name. */
const destinationsAt = (found: Found, { keys, mustStand }: Expectations, at: string): readonly string[] => [
  ...new Set([
    ...found.views.filter((one) => one.at === at).map(({ key }) => key),
    ...keys.filter((key) => !isPattern(key) && mustStand(at, key)),
  ]),
];

const candidatesInWords = (candidates: readonly Candidate[]): string =>
  candidates
    .map(
      ({ to, priority, weight, selectors, isStatic }) =>
        `${weight} ${to} at ${priority}${choice(selectors)}${isStatic ? ", included" : ""}`,
    )
    .toSorted()
    .join(", ");

const views: Compare = (found, expectations) =>
  brokersOf(expectations).flatMap((at) =>
    destinationsAt(found, expectations, at).map((key) => {
      const view = found.views.find((one) => one.at === at && one.key === key);
      const wanted = expectations.candidates(at, key);
      const isTopic = kindOf(key) === "topic";
      const routed = isTopic ? wanted.filter(({ to }) => to.includes(":")) : wanted;
      const subscribers = (has: boolean) => (isTopic ? [has ? "subscribers here" : "no subscribers here"] : []);
      return {
        of: `${key} at ${at}`,
        is: view ? [candidatesInWords(view.candidates), ...subscribers(view.hasSubscribers)].join("; ") : "isn't there",
        wanted: [candidatesInWords(routed), ...subscribers(routed.length < wanted.length)].join("; "),
      };
    }),
  );

const subscriptions: Compare = (found, expectations) =>
  found.subscribed.map(({ at, key, ends }) => {
    const ways = expectations.picture.ways.filter((way: Way) => way.from === at && expectations.isServed(way, key));
    const links = ways.map(({ link }) => link);
    const consumers = expectations.picture.consumers.filter((one) => one.at === at && means(one.key, key));
    // Whose selector SNS can't follow, whose rate is limited, who is stopped, and what keeps order, dispatch serves.
    const isPaced = policyAt(expectations.picture, at, key).rateLimit > 0;
    const choosy = consumers.filter(({ selector }) => selector !== undefined).map(({ who }) => who);
    const fed = ends.includes(feed)
      ? [...choosy, ...ways.filter(({ isStopped }) => isPaced || isStopped || isOrdered(key)).map(({ link }) => link)].filter(
          (end) => !ends.includes(end),
        )
      : [];
    const is = [...ends.filter((end) => end !== feed), ...fed];
    return {
      of: `${key} at ${at}`,
      is: is.toSorted().join(", "),
      wanted: [...links, ...consumers.map(({ who }) => who)].toSorted().join(", "),
    };
  });

const differing = (compare: Compare, found: Found, expectations: Expectations): readonly string[] =>
  compare(found, expectations)
    .filter(({ is, wanted }) => is !== wanted)
    .map(({ of, is, wanted }) => `${of}: is ${is}; should be ${wanted}`);

const law = (words: string, compare: Compare): Law => ({
  law: words,
  broken: ({ found }: Played, { atLast }: Justified) => differing(compare, found, atLast),
});

/** Is all demand what consumers justify? */
export const isAsJustified = (found: Found, expectations: Expectations): boolean =>
  [told, learnt, views, subscriptions].every((compare) => differing(compare, found, expectations).length === 0);

export const demandLaws: readonly Law[] = [
  law("when quiet, brokers tell their peers what consumers justify", told),
  law("when quiet, brokers have learnt what their peers tell", learnt),
  law("when quiet, routing sees the demand that consumers justify", views),
  law("when quiet, topics have the subscriptions that consumers justify", subscriptions),
  {
    law: "when quiet, brokers have nothing to tell",
    broken: ({ hints }) => (hints > 0 ? [`${hints} hints`] : []),
  },
];
