import type { BrokerId } from "../../../core/ids.ts";
import type { HandOver, HandOverAnswer } from "../../../core/ports.ts";
import type { DrainedPlace } from "../../../core/routing/plan.ts";
import { bodiesIn, cellOf, isOrdered, isTopic, modeOf } from "../cells.ts";
import type { Ledger } from "../ledger.ts";
import type { Window } from "../windows.ts";
import { againFor, pathIn } from "./naming.ts";
import { waysTaken } from "./ways-taken.ts";

/** As long as SQS and SNS know a deduplication id. */
const fiveMinutes = 300_000;
/** What a FIFO target accepted may be handed to it once more. */
const repeating: readonly Window[] = ["accepted-unsettled", "settle-failed"];

const isUnaudited = (body: string): boolean => modeOf(cellOf(body)) === "unaudited";

/** When a target took something, and by which way it had come. */
interface Taken {
  readonly at: number;
  readonly path: string;
}

/** Who hands over: a broker's doors, or its passes over one place. */
export interface Carrier {
  readonly at: BrokerId;
  readonly place?: DrainedPlace;
}

/**
 * A FIFO target drops repetitions for five minutes: a window onto one lets something through only when what stands in it is accepted once
 * more after that; or, where no audit remembers how it went, when it goes another way. What a consumer gets again is its own matter.
 */
export const orderedWindows = (ledger: Pick<Ledger, "opened">, now: () => number) => {
  const standing = new Map<string, Window[]>();
  const taken = new Map<string, Taken>();
  const firstPaths = new Map<string, string>();
  const goesAnotherWay = waysTaken();
  const stand = (window: Window, body: string): void => void standing.set(body, [...(standing.get(body) ?? []), window]);

  /** What the target took before, and doesn't know any more. */
  const forgotten = ({ target, order, wire }: HandOver, { at }: Carrier): Taken | undefined => {
    const key = JSON.stringify([at, target, order]);
    const before = taken.get(key);
    if (before && now() - before.at < fiveMinutes) return undefined;
    taken.set(key, { at: now(), path: pathIn(wire) });
    return before;
  };

  /** Nobody stops what a standard topic, or who reads one, gets by another way than before. */
  const goneRound = (one: HandOver, { at }: Carrier): void => {
    const [place, path] = [JSON.stringify([at, one.target]), pathIn(one.wire)];
    for (const body of bodiesIn(one.wire.body).filter((text) => isUnaudited(text) && isTopic(cellOf(text)))) {
      const key = `${place} ${body}`;
      const first = firstPaths.get(key) ?? path;
      firstPaths.set(key, first);
      if (path !== first) ledger.opened("not-audited", [body], againFor(one, at));
    }
  };

  return {
    /** What was carried comes again, or stands elsewhere too, and no audit will know it; as often as it is named. */
    comesAgain: (bodies: readonly string[]): void => {
      for (const body of bodies.filter(isUnaudited)) {
        if (isOrdered(cellOf(body))) stand("not-audited", body);
        else ledger.opened("not-audited", [body]);
      }
    },
    /** Of an audited message; what its target has while no audit knows. */
    opened: (window: Window, bodies: readonly string[], reader?: string): void => {
      for (const body of bodies) {
        if (window === "delivered-again") ledger.opened(window, [body], reader);
        else if (isUnaudited(body) && window !== "moved-by-hand")
          continue; // comes again
        else if (!isOrdered(cellOf(body))) ledger.opened(window, [body], reader);
        else if (repeating.includes(window)) stand(window, body);
      }
    },
    /** A target took it, or knew it, or, if it is silent, may have it. */
    handed: (one: HandOver, answer: HandOverAnswer["answer"], by: Carrier): void => {
      if (!one.order) {
        goneRound(one, by);
        return;
      }
      const isElsewhere = goesAnotherWay(one, by);
      const before = answer === "accepted" ? forgotten(one, by) : undefined;
      const hasGoneRound = before !== undefined && before.path !== pathIn(one.wire); // a topic's is late by another way
      for (const body of bodiesIn(one.wire.body)) {
        const comesThrough = before !== undefined || (isElsewhere && isUnaudited(body));
        const window = hasGoneRound && isUnaudited(body) ? "not-audited" : comesThrough ? standing.get(body)?.pop() : undefined;
        if (window) ledger.opened(window, [body]);
      }
    },
  };
};
export type OrderedWindows = ReturnType<typeof orderedWindows>;
