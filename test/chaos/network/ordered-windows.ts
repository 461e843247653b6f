import type { BrokerId } from "../../../core/ids.ts";
import type { HandOver, HandOverAnswer } from "../../../core/ports.ts";
import type { DrainedPlace } from "../../../core/routing/plan.ts";
import { bodiesIn, cellOf, isOrdered, modeOf } from "../cells.ts";
import type { Ledger } from "../ledger.ts";
import type { Window } from "../windows.ts";
import { pathIn } from "./naming.ts";
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

  return {
    /** What was carried comes again, or stands elsewhere too, and no audit will know it. */
    comesAgain: (bodies: readonly string[]): void => {
      for (const body of bodies) if (isOrdered(cellOf(body)) && isUnaudited(body)) stand("not-audited", body);
    },
    /** Of an audited message; what its target has while no audit knows. */
    opened: (window: Window, bodies: readonly string[], reader?: string): void => {
      for (const body of bodies) {
        if (!isOrdered(cellOf(body)) || window === "delivered-again") ledger.opened(window, [body], reader);
        else if (!isUnaudited(body) && repeating.includes(window)) stand(window, body);
      }
    },
    /** A target took it, or knew it, or, if it is silent, may have it. */
    handed: (one: HandOver, answer: HandOverAnswer["answer"], by: Carrier): void => {
      if (!one.order) return;
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
