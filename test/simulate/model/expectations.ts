import { type Candidate, candidatesAt, type Told, telling } from "./demand.ts";

import { mayStand, type Picture, type Way } from "./picture.ts";
import { type Properties, wants } from "./selectors.ts";

/** What one picture justifies. */
export interface Expectations {
  readonly picture: Picture;
  /** Names and patterns that somebody wants or includes. */
  readonly keys: readonly string[];
  readonly told: Told;
  candidates(at: string, destination: string): readonly Candidate[];
  /** Does somebody want such a message over the way? */
  serves(way: Way, destination: string, about: Properties): boolean;
  isServed(way: Way, destination: string): boolean;
  /** Somebody wants the destination there by its own name, and it may stand there. */
  mustStand(at: string, destination: string): boolean;
}

const known = new WeakMap<Picture, Expectations>();

export const expectationsOf = (picture: Picture): Expectations => {
  const found = known.get(picture) ?? expect(picture);
  known.set(picture, found);
  return found;
};

const expect = (picture: Picture): Expectations => {
  const included = picture.ways.flatMap(({ staticallyIncludedDestinations }) => staticallyIncludedDestinations);
  const keys = [...new Set([...picture.consumers.map(({ key }) => key), ...included])];
  const told = telling(picture, keys);
  const asked = new Map<string, readonly Candidate[]>();
  const candidates = (at: string, destination: string): readonly Candidate[] => {
    const row = `${at} ${destination}`;
    const answer = asked.get(row) ?? candidatesAt(picture, told, keys, at, destination);
    asked.set(row, answer);
    return answer;
  };
  return {
    picture,
    keys,
    told,
    candidates,
    serves: (way, destination, about) => candidates(way.from, destination).some((one) => one.to === way.link && wants(one, about)),
    isServed: (way, destination) => candidates(way.from, destination).some(({ to }) => to === way.link),
    mustStand: (at, destination) =>
      mayStand(picture, at, destination) && candidatesAt(picture, told, [destination], at, destination).length > 0,
  };
};

/** Everybody who was ever there, and every way that was ever open, none of them suppressed: what may ever have been wanted. */
export const atAnyTime = (pictures: readonly Picture[]): Picture => {
  const [first] = pictures;
  if (!first) throw new Error("there is no picture");
  const all = pictures.flatMap(({ consumers }) => consumers.map(({ offlineSince: _, ...one }) => one));
  return {
    ...first,
    ways: first.ways.map((way) => ({
      ...way,
      isOpen: true,
      ranSince: 0,
      suppressDuplicateQueueSubscriptions: false,
      suppressDuplicateTopicSubscriptions: false,
    })),
    consumers: [...new Map(all.map((one) => [`${one.who} ${one.key}`, one])).values()],
  };
};
