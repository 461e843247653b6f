import type { Candidate } from "./demand.ts";
import { kindOf } from "./names.ts";
import { mayStand, type Picture, permits, policyAt, type Way } from "./picture.ts";
import { type Properties, wants } from "./selectors.ts";

/** Fewest hops from one broker to another over the configured ways that permit the destination, open or not. */
const distance = ({ ways }: Picture, destination: string, from: string, to: string): number => {
  const seen = new Set([from]);
  for (let hops = 0; ; hops += 1) {
    if (seen.has(to)) return hops;
    const next = ways.filter((way) => seen.has(way.from) && !seen.has(way.to) && permits(way, destination));
    if (next.length === 0) return Number.POSITIVE_INFINITY;
    for (const way of next) seen.add(way.to);
  }
};

/** May a message that was sent at `origin` take one more hop (spec TTL-2, by distance)? */
export const hasHopsLeft = (picture: Picture, destination: string, origin: string, { from, messageTTL }: Way): boolean =>
  messageTTL < 0 || distance(picture, destination, origin, from) < messageTTL;

/** May a message that came this way, its last broker where it is now, cross this way? Whether it may go back is another matter. */
export const mayCross = (picture: Picture, destination: string, path: readonly string[], way: Way): boolean =>
  permits(way, destination) && !path.includes(way.to) && hasHopsLeft(picture, destination, path[0] ?? way.from, way);

/** May it go back to where it has been: it is a queue's, its policy says so, and nobody here blocks it (spec REP-1 to REP-3)? */
export const mayReplay = (
  picture: Picture,
  destination: string,
  at: string,
  about: Properties,
  candidates: readonly Candidate[],
): boolean => {
  const { replayWhenNoConsumers, selectorAware } = policyAt(picture, at, destination);
  const blocks = (one: Candidate) => (one.to === "consumers" || one.to === "private") && (!selectorAware || wants(one, about));
  return kindOf(destination) === "queue" && replayWhenNoConsumers && !candidates.some(blocks);
};

/** Milliseconds that it must have been here first: the policy's, and more from the third visit of a broker on, or it would go to and fro for ever. */
export const replayDelay = (picture: Picture, destination: string, at: string, visits: number): number =>
  policyAt(picture, at, destination).replayDelay + (visits < 2 ? 0 : 1_000 * 2 ** (visits - 2));

/** Brokers that a topic's message reaches: along ways with demand, while hops are left and it may stand there. */
export const reached = (picture: Picture, destination: string, origin: string, isServed: (way: Way) => boolean): ReadonlySet<string> => {
  const seen = new Set(mayStand(picture, origin, destination) ? [origin] : []);
  const isNext = (way: Way): boolean =>
    seen.has(way.from) &&
    !seen.has(way.to) &&
    isServed(way) &&
    permits(way, destination) &&
    mayStand(picture, way.to, destination) &&
    hasHopsLeft(picture, destination, origin, way);
  for (;;) {
    const way = picture.ways.find(isNext);
    if (!way) return seen;
    seen.add(way.to);
  }
};
