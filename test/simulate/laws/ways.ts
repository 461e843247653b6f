import { hasHopsLeft, mayReplay } from "../model/crossing.ts";
import type { Expectations } from "../model/expectations.ts";
import { isOrdered, kindOf } from "../model/names.ts";
import { permits, policyAt, type Way } from "../model/picture.ts";
import { type Place, type Taker, takersOf } from "../model/takers.ts";
import type { Copy, Played } from "../played.ts";
import type { Justified, Law } from "./law.ts";

/** One crossing of a copy, with the ways that it may have taken. */
interface Hop {
  readonly copy: Copy;
  readonly from: string;
  readonly to: string;
  /** Brokers before `from`. */
  readonly before: readonly string[];
  readonly ways: readonly Way[];
}

const hopsOf = (copy: Copy, { picture }: Expectations): readonly Hop[] => {
  const brokers = [...copy.path, copy.at];
  return brokers.slice(1).map((to, index) => {
    const from = brokers[index] ?? "";
    const ways = picture.ways.filter((way) => way.from === from && way.to === to);
    return { copy, from, to, before: brokers.slice(0, index), ways };
  });
};

/** Hops that no way between these brokers allows. */
const forbidden =
  (isAllowed: (hop: Hop, way: Way, justified: Justified) => boolean) =>
  ({ received, left }: Played, justified: Justified): readonly string[] =>
    [...received, ...left]
      .flatMap((copy) => hopsOf(copy, justified.atLast))
      .filter((hop) => !hop.ways.some((way) => isAllowed(hop, way, justified)))
      .map(
        ({ copy, from, to, before }) =>
          `${copy.body} to ${copy.destination} from ${from} to ${to}${before.length > 0 ? `, after ${before.join(" ")}` : ""}`,
      );

const isBack = ({ before, to }: Hop): boolean => before.includes(to);

/** It may have gone back from there: nobody consumed there at some moment, and its policy lets it. */
const mayHaveGoneBack = ({ copy, from }: Hop, { atLast: { picture } }: Justified): boolean =>
  mayReplay(picture, copy.destination, from, copy.about, []);

/** All is well and quiet: each broker gives a queue's message to the highest priority that may have it. */
const outranked = ({ sent, received }: Played, { atLast }: Justified): readonly string[] => {
  const quiet = new Set(sent.filter(({ isQuiet }) => isQuiet).map(({ body }) => body));
  return received
    .filter(({ body, destination }) => quiet.has(body) && kindOf(destination) === "queue")
    .flatMap((copy) => {
      const stops = [...copy.path, copy.at];
      return stops.flatMap((at, index) => {
        const before = stops.slice(0, index);
        const next = stops[index + 1];
        // What its rate leaves of a window that it has taken from before, nobody knows here.
        if (policyAt(atLast.picture, at, copy.destination).rateLimit > 0 && before.includes(at)) return [];
        const best = bestAt({ ...copy, at, path: before }, atLast);
        const isBest =
          next === undefined
            ? best.includes("consumers") || best.includes("private")
            : best.some((to) => atLast.picture.ways.some((way) => way.link === to && way.to === next));
        return isBest
          ? []
          : [
              `${copy.body} to ${copy.destination} went from ${at} ${next === undefined ? "to consumers there" : `to ${next}`}, not to ${best.join(" or ")}`,
            ];
      });
    });
};

/** Those of the highest priority among all that take it at once. Where each is a way back that must wait: among those whose time has come. */
const bestAt = (place: Place, expectations: Expectations): readonly string[] => {
  const takers = takersOf(place, expectations);
  const isBack = ({ to }: Taker): boolean => expectations.picture.ways.some((way) => way.link === to && place.path.includes(way.to));
  const goesOn = isOrdered(place.destination) ? takers.filter((one) => !isBack(one)) : []; // else it meets what comes after it
  const takeAtOnce = takers.filter(({ wait }) => wait === 0);
  const those = [goesOn, takeAtOnce].find((some) => some.length > 0) ?? takers;
  const { useConsumerPriority, strictOrderDispatch } = policyAt(expectations.picture, place.at, place.destination);
  const rank = ({ priority }: Taker): number => (useConsumerPriority ? priority : 0);
  const best = those.filter((one) => those.every((other) => other.wait > one.wait || rank(other) <= rank(one)));
  const here = strictOrderDispatch ? best.filter(({ to }) => to === "consumers" || to === "private") : [];
  return (here.length > 0 ? here : best).map(({ to }) => to);
};

export const wayLaws: readonly Law[] = [
  { law: "nothing crosses where no connector permits it", broken: forbidden(({ copy }, way) => permits(way, copy.destination)) },
  {
    law: "nothing comes to another broker without demand there",
    // What SNS can't filter crosses whatever it says about itself.
    broken: forbidden(({ copy: { destination, about } }, way, { atAnyTime }) =>
      kindOf(destination) === "topic" ? atAnyTime.isServed(way, destination) : atAnyTime.serves(way, destination, about),
    ),
  },
  {
    law: "no broker stands twice on a path but by a replay",
    broken: forbidden((hop, _way, justified) => !isBack(hop) || mayHaveGoneBack(hop, justified)),
  },
  {
    law: "no message takes more hops than its connectors allow",
    broken: forbidden(
      (hop, way, { atLast }) => isBack(hop) || hasHopsLeft(atLast.picture, hop.copy.destination, hop.before[0] ?? hop.from, way),
    ),
  },
  { law: "when quiet, the highest priority gets a queue's message", broken: outranked },
];
