import { partsOf } from "../destination/composite.ts";
import { type Destination, type DestinationKey, destinationKey } from "../destination/destination.ts";
import type { LinkId } from "../ids.ts";
import type { Message } from "../message/message.ts";
import type { Counters } from "../ports.ts";
import { judgeAdmission } from "../routing/admit.ts";
import type { Plan } from "../routing/plan.ts";
import { planFor, type Route, routeQueue, routeTopic } from "../routing/route.ts";
import { shareCounter, shareOut } from "../routing/shares.ts";
import type { Candidate, DestinationView } from "../routing/view.ts";
import { mayCreate } from "./creatable.ts";
import type { BrokerItem } from "./records.ts";

/** A message bound for one destination (a part, where it was sent to a composite). */
export interface Bound {
  readonly ref: string;
  readonly message: Message;
  readonly cameBy?: LinkId;
}
export interface Planned extends Bound {
  readonly plan: Plan;
}
type Routed = Bound & { readonly route: Route };

/** One message per destination it was sent to. */
export const boundsOf = (bound: Bound): Bound[] =>
  partsOf(bound.message.destination).map((destination) => ({ ...bound, message: { ...bound.message, destination } }));

/** Plans a whole batch: each message by the rules of routing, then the shares of those that have several candidates. */
export const planAll = async (
  counters: Counters,
  bounds: readonly Bound[],
  views: ReadonlyMap<DestinationKey, DestinationView>,
  { slice }: BrokerItem,
  now: number,
): Promise<readonly Planned[]> => {
  const routeOf = ({ message, cameBy }: Bound): Route => {
    const came = slice.connectors.find(({ link }) => link === cameBy);
    const refused = judgeAdmission(message, slice.broker, came, slice.connectors, now);
    if (refused) return { route: "plan", plan: refused };
    const view = views.get(destinationKey(message.destination));
    if (!view) return { route: "plan", plan: planUnknown(message.destination, mayCreate(slice, message.destination)) };
    if (message.destination.kind === "queue") return routeQueue(message, view, slice.connectors);
    return { route: "plan", plan: routeTopic(message, view, slice.connectors, now) };
  };
  return takeShares(
    counters,
    bounds.map((bound) => ({ ...bound, route: routeOf(bound) })),
  );
};

/** A destination that isn't here yet is made by control; the copy comes again. */
const planUnknown = (destination: Destination, creatable: boolean): Plan =>
  creatable
    ? { plan: "later", reason: "unknown-destination", destination }
    : {
        plan: "dead-letter",
        reason: "not-creatable",
        why: `${destinationKey(destination)} is neither declared nor among autoCreateDestinations`,
      };

/** One counter call per (destination, set of candidates): the batch takes a range of the schedule. A single candidate needs none. */
const takeShares = async (counters: Counters, routed: readonly Routed[]): Promise<readonly Planned[]> => {
  const sharing = Map.groupBy(routed, ({ route, message }) =>
    route.route === "share" ? shareCounter(destinationKey(message.destination), route.candidates) : "",
  );
  sharing.delete("");
  const taken = await Promise.all(
    [...sharing].map(async ([counter, sharers]) => {
      const candidates = candidatesOf(sharers[0]?.route);
      const end = await counters.add(counter, sharers.length);
      return [counter, shareOut(candidates, end - sharers.length, sharers.length).values()] as const;
    }),
  );
  const turns = new Map(taken);
  return routed.map(({ route, ...bound }) => {
    if (route.route === "plan") return { ...bound, plan: route.plan };
    const turn = turns.get(shareCounter(destinationKey(bound.message.destination), route.candidates))?.next().value as Candidate;
    return { ...bound, plan: planFor(turn, bound.message) };
  });
};

const candidatesOf = (route: Route | undefined): readonly Candidate[] => (route?.route === "share" ? route.candidates : []);
