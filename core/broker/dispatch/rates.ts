import { type Destination, destinationKey } from "../../destination/destination.ts";
import { isFifo } from "../../destination/fifo.ts";
import type { LinkId } from "../../ids.ts";
import type { PolicyValues } from "../../policy/policy.ts";
import type { Counters } from "../../ports.ts";
import type { Spent } from "../../routing/route.ts";
import type { DestinationView } from "../../routing/view.ts";
import { aMoment } from "../looks.ts";
import { holdsSome, type OrderPorts } from "../resting.ts";
import { linkOf } from "./handing-over.ts";
import type { Bound, Planned } from "./planned.ts";

export type LimitsOf = (destination: Destination) => Pick<PolicyValues, "rateLimit" | "rateDuration">;

/** A message of this destination that is about to cross this link. */
export interface Crossing {
  readonly link: LinkId;
  readonly destination: Destination;
}

/**
 * Takes a place in its window for each crossing whose policy limits the rate: so many of a destination over each link in one window (spec
 * REP-4). Answers until when each has to wait; undefined: it may go.
 */
export const takePlaces = async (
  counters: Counters,
  crossings: readonly (Crossing | undefined)[],
  limitsOf: LimitsOf,
  now: number,
): Promise<readonly (number | undefined)[]> => {
  const limited = crossings.flatMap((one) => (one && limitsOf(one.destination).rateLimit > 0 ? [one] : []));
  const waits = new Map<Crossing, number>();
  await Promise.all(
    [...Map.groupBy(limited, windowOf).values()].map(async (its) => {
      const { taken, until } = await takeFrom(counters, its[0] as Crossing, its.length, limitsOf, now);
      for (const crossing of its.slice(taken)) waits.set(crossing, until);
    }),
  );
  return crossings.map((crossing) => crossing && waits.get(crossing));
};

/** Did its last window take no more? */
export const isUsedUp = async (counters: Counters, crossing: Crossing, limitsOf: LimitsOf, now: number): Promise<boolean> =>
  (await takeFrom(counters, crossing, 0, limitsOf, now)).usedUp;

export const windowOf = ({ link, destination }: Crossing): string => `rate#${link}#${destinationKey(destination)}`;

const takeFrom = (counters: Counters, crossing: Crossing, n: number, limitsOf: LimitsOf, now: number) => {
  const { rateLimit: limit, rateDuration: duration } = limitsOf(crossing.destination);
  return counters.take(windowOf(crossing), n, { limit, duration }, now);
};

/** What of a batch of queue messages may cross. */
export interface Rates {
  readonly spentFor: (bound: Bound) => Spent;
  /** Takes a place for each plan that would cross; answers those for which none was left, to be planned anew. */
  readonly take: (planned: readonly Planned[]) => Promise<ReadonlySet<Planned>>;
}

/** Reads what the windows of these queues have left: a read for each link that may get something. */
export const openRates = async (ports: OrderPorts, views: readonly DestinationView[], limitsOf: LimitsOf, now: number): Promise<Rates> => {
  const limited = views.filter(({ destination }) => destination.kind === "queue" && limitsOf(destination).rateLimit > 0);
  const opened = await Promise.all(
    limited.map(async (view) => [destinationKey(view.destination), await openFor(ports, view, limitsOf, now)] as const),
  );
  const queues = new Map(opened);
  const queueOf = ({ message }: Bound): Limited | undefined => queues.get(destinationKey(message.destination));
  return {
    spentFor: (bound) => {
      const { spent = new Map(), behind = new Map() } = queueOf(bound) ?? {};
      return bound.hereSince === undefined ? new Map([...behind, ...spent]) : spent;
    },
    take: async (planned) => {
      const crossing = planned.flatMap((one) => {
        const link = linkOf(one.plan);
        return link !== undefined && queueOf(one) ? [{ one, link, destination: one.message.destination }] : [];
      });
      const waits = await takePlaces(ports.counters, crossing, limitsOf, now);
      return new Set(
        crossing.flatMap(({ one, link }, index) => {
          const until = waits[index];
          if (until === undefined) return [];
          queueOf(one)?.spent.set(link, until);
          return [one];
        }),
      );
    },
  };
};

interface Limited {
  /** Until when links take no more. */
  readonly spent: Map<LinkId, number>;
  /** Until when they take nothing new, since something waits for them. */
  readonly behind: Spent;
}

const openFor = async (
  ports: OrderPorts,
  { destination, candidates }: DestinationView,
  limitsOf: LimitsOf,
  now: number,
): Promise<Limited> => {
  const links = [...new Set(candidates.flatMap((one) => (one.to === "link" ? [one.link] : [])))];
  const windows = await Promise.all(links.map((link) => takeFrom(ports.counters, { link, destination }, 0, limitsOf, now)));
  const spent = new Map(links.flatMap((link, index) => (windows[index]?.left === 0 ? [[link, windows[index].until]] : [])));
  // Where only links take something, what rests goes before what comes; a FIFO queue sees to that itself.
  const mayRest = candidates.every(({ to }) => to === "link") && !isFifo(destination);
  const isBehind = mayRest && (await holdsSome(ports, { to: "queue", destination }));
  const awaited = links.filter((_, index) => windows[index]?.usedUp);
  return { spent, behind: new Map(isBehind ? awaited.map((link) => [link, now + aMoment]) : []) };
};
