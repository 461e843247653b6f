import { type Destination, destinationKey } from "../../destination/destination.ts";
import { isFifo } from "../../destination/fifo.ts";
import type { LinkId } from "../../ids.ts";
import type { PolicyValues } from "../../policy/policy.ts";
import type { Spent } from "../../routing/route.ts";
import type { DestinationView } from "../../routing/view.ts";
import { holdsSome, type OrderPorts } from "../resting.ts";
import { linkOf } from "./handing-over.ts";
import type { Bound, Planned } from "./planned.ts";

/** What of a batch may cross, where a policy limits its rate: so many messages of a destination over each link in one window (spec REP-4). */
export interface Rates {
  readonly spentFor: (bound: Bound) => Spent;
  /** Takes a place in its window for each plan that would cross; answers those for which none was left, to be planned anew. */
  readonly take: (planned: readonly Planned[]) => Promise<ReadonlySet<Planned>>;
}

type Limits = Pick<PolicyValues, "rateLimit" | "rateDuration">;

/** Reads what the windows of these destinations have left: a read for each link that may get something. */
export const openRates = async (
  ports: OrderPorts,
  views: readonly DestinationView[],
  limitsOf: (destination: Destination) => Limits,
  now: number,
): Promise<Rates> => {
  const limited = views.filter(({ destination }) => destination.kind === "queue" && limitsOf(destination).rateLimit > 0);
  const opened = await Promise.all(
    limited.map(async (view) => [destinationKey(view.destination), await openFor(ports, view, limitsOf(view.destination), now)] as const),
  );
  const windows = new Map(opened);
  const windowsOf = ({ message }: Bound): Windows | undefined => windows.get(destinationKey(message.destination));
  return {
    spentFor: (bound) => windowsOf(bound)?.spentFor(bound) ?? new Map(),
    take: async (planned) => {
      const crossing = planned.filter((one) => linkOf(one.plan) !== undefined && windowsOf(one));
      const byWindow = Map.groupBy(crossing, ({ plan, message }) => `${linkOf(plan)}#${destinationKey(message.destination)}`);
      const over = [...byWindow.values()].map(async (its) => {
        const [first] = its as [Planned];
        return its.slice(await windowsOf(first)?.take(linkOf(first.plan) as LinkId, its.length));
      });
      return new Set((await Promise.all(over)).flat());
    },
  };
};

/** The windows of one destination. */
interface Windows {
  readonly spentFor: (bound: Bound) => Spent;
  /** Answers how many of so many may go. */
  readonly take: (link: LinkId, messages: number) => Promise<number>;
}

/** So long what comes waits behind what rests, at least. */
const aMoment = 1_000;

const openFor = async (
  ports: OrderPorts,
  { destination, candidates }: DestinationView,
  { rateLimit: limit, rateDuration: duration }: Limits,
  now: number,
): Promise<Windows> => {
  const spent = new Map<LinkId, number>();
  const take = async (link: LinkId, messages: number): Promise<number> => {
    const window = `rate#${link}#${destinationKey(destination)}`;
    const { taken, left, until } = await ports.counters.take(window, messages, { limit, duration }, now);
    if (left === 0) spent.set(link, until);
    return taken;
  };
  const links = [...new Set(candidates.flatMap((one) => (one.to === "link" ? [one.link] : [])))];
  await Promise.all(links.map((link) => take(link, 0)));
  // Where only links take something, what rests goes before what comes; a FIFO queue sees to that itself.
  const mayRest = candidates.every(({ to }) => to === "link") && !isFifo(destination);
  const isBehind = mayRest && (await holdsSome(ports, { to: "queue", destination }));
  const behind = isBehind ? links.map((link) => [link, now + aMoment] as const) : [];
  return { take, spentFor: ({ hereSince }) => (hereSince === undefined ? new Map([...behind, ...spent]) : spent) };
};
