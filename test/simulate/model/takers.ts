import { hasHopsLeft, mayCross, mayReplay, replayDelay } from "./crossing.ts";
import type { Candidate } from "./demand.ts";
import type { Expectations } from "./expectations.ts";
import { type Picture, permits, type Way } from "./picture.ts";
import { type Properties, wants } from "./selectors.ts";

/** Where a queue's message is, and the brokers that it came through. */
export interface Place {
  readonly destination: string;
  readonly at: string;
  readonly path: readonly string[];
  /** What it says about itself. */
  readonly about: Properties;
}

const wayOf = ({ ways }: Picture, { to }: Candidate): Way | undefined => ways.find(({ link }) => link === to);

export type Taker = Candidate & {
  /** Milliseconds that the message must have been where it is; a filter that refuses it until then leaves it to others (spec REP-1, QUE-2). */
  readonly wait: number;
};

/** Who would take the message from where it is: consumers there, ways onward, and ways back, if they lead to a consumer in the end. */
export const takersOf = (place: Place, expectations: Expectations): readonly Taker[] => {
  const { picture, candidates } = expectations;
  const { destination, at, path, about } = place;
  const all = candidates(at, destination);
  const goesBack = mayReplay(picture, destination, at, about, all) && leadsToConsumers(place, expectations);
  const wanting = all.filter((candidate) => wants(candidate, about));
  return wanting.flatMap((candidate): Taker[] => {
    const way = wayOf(picture, candidate);
    if (way === undefined || mayCross(picture, destination, path, way)) return [{ ...candidate, wait: 0 }];
    const visits = path.filter((broker) => broker === way.to).length;
    const mayGoBack = goesBack && visits > 0 && !candidate.isStatic && permits(way, destination);
    return mayGoBack ? [{ ...candidate, wait: replayDelay(picture, destination, at, visits) }] : [];
  });
};

/** By going on and back along ways that somebody wants it over. */
const leadsToConsumers = ({ destination, at, path, about }: Place, { picture, candidates }: Expectations): boolean => {
  const origin = path[0] ?? at;
  const visited = new Set([...path, at]);
  const seen = [at];
  for (const broker of seen) {
    for (const candidate of candidates(broker, destination).filter((one) => wants(one, about))) {
      const way = wayOf(picture, candidate);
      if (!way) return true;
      const mayGo = permits(way, destination) && (visited.has(way.to) || hasHopsLeft(picture, destination, origin, way));
      if (!mayGo || candidate.isStatic || seen.includes(way.to)) continue;
      visited.add(way.to);
      seen.push(way.to);
    }
  }
  return false;
};
