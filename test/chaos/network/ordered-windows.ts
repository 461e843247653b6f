import type { HandOver } from "../../../core/ports.ts";
import { bodiesIn, cellOf, isOrdered, modeOf } from "../cells.ts";
import type { Ledger } from "../ledger.ts";
import type { Window } from "../windows.ts";

/** As long as SQS and SNS know a deduplication id. */
const fiveMinutes = 300_000;
/** What a FIFO target accepted may be handed to it once more. */
const repeating: readonly Window[] = ["accepted-unsettled", "settle-failed"];

/**
 * A FIFO target drops repetitions for five minutes: a window onto one lets something through only when what stands in it is accepted once
 * more after that. What a consumer gets again is its own matter. Without an audit what comes again is planned anew: where ways change it
 * goes by another one, and is another message there.
 */
export const orderedWindows = (ledger: Pick<Ledger, "opened">, now: () => number, waysChange = false) => {
  const standing = new Map<string, Window[]>();
  const acceptedAt = new Map<string, number>();
  const goesElsewhere = (body: string): boolean => waysChange && isOrdered(cellOf(body)) && modeOf(cellOf(body)) === "unaudited";
  return {
    goesElsewhere,
    /** Its door gives it again, though it was carried. */
    comesAgain: (bodies: readonly string[]): void => ledger.opened("not-audited", bodies.filter(goesElsewhere)),
    opened: (window: Window, bodies: readonly string[], reader?: string): void => {
      for (const body of bodies) {
        if (!isOrdered(cellOf(body)) || window === "delivered-again") ledger.opened(window, [body], reader);
        else if (goesElsewhere(body)) ledger.opened("not-audited", [body], reader);
        else if (repeating.includes(window)) standing.set(body, [...(standing.get(body) ?? []), window]);
      }
    },
    /** A target took it, or knew it. */
    accepted: ({ target, order, wire }: Pick<HandOver, "target" | "order" | "wire">): void => {
      if (!order) return;
      const key = JSON.stringify([target, order]);
      const before = acceptedAt.get(key);
      if (before !== undefined && now() - before < fiveMinutes) return;
      acceptedAt.set(key, now());
      if (before === undefined) return;
      for (const body of bodiesIn(wire.body)) {
        const window = modeOf(cellOf(body)) === "unaudited" ? "not-audited" : standing.get(body)?.pop();
        if (window) ledger.opened(window, [body]);
      }
    },
  };
};
export type OrderedWindows = ReturnType<typeof orderedWindows>;
