import { partsOf } from "../../destination/composite.ts";
import { type Destination, destinationKey } from "../../destination/destination.ts";
import { isFifo } from "../../destination/fifo.ts";
import type { LinkId } from "../../ids.ts";
import type { FoundExpired } from "../../message/dead-letter.ts";
import type { Hash, Message } from "../../message/message.ts";
import { policiesIn } from "../../policy/policy.ts";
import type { Counters, Loads, Views } from "../../ports.ts";
import { judgeAdmission } from "../../routing/admit.ts";
import { untilExpiry } from "../../routing/expiry.ts";
import { planInOrder } from "../../routing/order.ts";
import type { Plan, Reason } from "../../routing/plan.ts";
import { replayOf } from "../../routing/replay.ts";
import { planFor, type Route, routeAround, routeTopic } from "../../routing/route.ts";
import { shareCounter, shareOut } from "../../routing/shares.ts";
import type { Candidate } from "../../routing/view.ts";
import { failingFor, viewFor } from "../../routing/wants.ts";
import { mayComeToBe } from "../creatable.ts";
import type { Identity } from "../identity.ts";
import type { BrokerItem } from "../records.ts";
import type { OrderPorts } from "../resting.ts";
import { openPrefetches } from "./prefetch.ts";
import { openRates } from "./rates.ts";
import { openRooms } from "./rooms.ts";
import { readWaiting } from "./waiting.ts";

/** A message bound for one destination (a part, where it was sent to a composite). */
export interface Bound {
  readonly ref: string;
  readonly message: Message;
  readonly cameBy?: LinkId;
  /** When it came to rest here, if it does already. */
  readonly hereSince?: number;
  readonly foundExpired?: FoundExpired | undefined;
}
export interface PlanPorts extends OrderPorts {
  readonly identity: Identity;
  readonly views: Views;
  readonly loads: Loads;
}

export interface Planned extends Bound {
  readonly plan: Plan;
  /** Nobody gets it, and these selectors have no answer for it. */
  readonly failing?: readonly string[];
}
type Routed = Bound & { readonly route: Route };

/** One message per destination it was sent to. */
export const boundsOf = (bound: Bound): Bound[] =>
  partsOf(bound.message.destination).map((destination) => ({ ...bound, message: { ...bound.message, destination } }));

/**
 * Plans a whole batch: each message by the rules of routing, then the shares of those that have several candidates, then their places in
 * the prefetches and rate windows of links; what finds none left is planned anew without that link.
 */
export const planAll = async (
  ports: PlanPorts,
  bounds: readonly Bound[],
  { slice, breakers = [] }: BrokerItem,
  now: number,
): Promise<readonly Planned[]> => {
  const { identity, views: reader, counters, loads } = ports;
  const views = await reader.read([...new Set(bounds.map(({ message }) => destinationKey(message.destination)))]);
  const policyOf = policiesIn(slice.destinationPolicies);
  const unordered = [...views.values()].filter(({ destination }) => !isFifo(destination));
  const roomIn = await openRooms(loads, unordered, ({ destination }) => policyOf(destination));
  const waitingFor = await readWaiting(ports, [...views.values()], breakers);
  const rates = await openRates(ports, [...views.values()], policyOf, now);
  const prefetches = openPrefetches(slice.connectors);
  const routeOf = (bound: Bound): Route => {
    const { message, cameBy, hereSince, foundExpired } = bound;
    const came = slice.connectors.find(({ link }) => link === cameBy);
    const policy = policyOf(message.destination);
    const refused = judgeAdmission(message, { self: slice.broker, came, connectors: slice.connectors, policy, foundExpired, now });
    if (refused) return { route: "plan", plan: refused };
    const whole = views.get(destinationKey(message.destination));
    if (!whole) return { route: "plan", plan: planUnknown(message.destination, mayComeToBe(slice, message.destination)) };
    if (message.destination.kind === "queue") {
      const view = viewFor(message, whole);
      const replay = replayOf(policy, message, policy.selectorAware ? view : whole, hereSince ?? now, now);
      const taken = { spent: rates.spentFor(bound), full: prefetches.fullFor(bound) };
      const surroundings = { connectors: slice.connectors, ranking: policy, replay, ...taken };
      if (isFifo(message.destination)) {
        const waiting = { ...waitingFor(view), ...(hereSince !== undefined && { inQueue: false }) };
        return { route: "plan", plan: planInOrder(message, view, surroundings, waiting, identity.hash) };
      }
      return routeAround(breakers, message, view, { ...surroundings, hasRoom: roomIn(view) });
    }
    return { route: "plan", plan: routeTopic(message, whole, slice.connectors, now, came && breakers) };
  };
  const plan = async (some: readonly Bound[]): Promise<readonly Planned[]> => {
    const routed = some.map((bound) => ({ ...bound, route: routeOf(bound) }));
    const shared = await takeShares(counters, identity.hash, routed);
    const planned = shared.map((one) => ({ ...one, plan: untilExpiry(one.plan, one.message, policyOf(one.message.destination), now) }));
    const beyond = prefetches.beyond(planned);
    const over = new Set([...beyond, ...(await rates.take(planned.filter((one) => !beyond.has(one))))]);
    if (over.size === 0) return planned;
    const anew = (await plan(planned.filter((one) => over.has(one)))).values();
    return planned.map((one) => (over.has(one) ? (anew.next().value as Planned) : one));
  };
  return (await plan(bounds)).map((one) => {
    const view = forNobody.includes(one.plan.reason) ? views.get(destinationKey(one.message.destination)) : undefined;
    const failing = view ? failingFor(one.message, view) : [];
    return failing.length > 0 ? { ...one, failing } : one;
  });
};

const forNobody: readonly Reason[] = ["no-consumer", "already-visited", "ttl-spent", "no-subscriber", "crossed-in-vain"];

/** A destination that isn't here yet is made by control; the copy comes again. */
const planUnknown = (destination: Destination, creatable: boolean): Plan =>
  creatable
    ? { plan: "later", reason: "unknown-destination", destination }
    : {
        plan: "dead-letter",
        reason: "not-creatable",
        why: isFifo(destination)
          ? `${destinationKey(destination)} isn't declared: a FIFO destination is never made on first use, add it to this broker's ${destination.kind}s`
          : `${destinationKey(destination)} isn't here and may not be made on first use: declare it in this broker's ${destination.kind}s, or let autoCreateDestinations match it`,
      };

/** One counter call per (destination, set of candidates): the batch takes a range of the schedule. A single candidate needs none. */
const takeShares = async (counters: Counters, hash: Hash, routed: readonly Routed[]): Promise<readonly Planned[]> => {
  const named = routed.map((one) => ({ ...one, counter: counterOf(one, hash) }));
  const byCounter = Map.groupBy(named, ({ counter }) => counter);
  const turns = new Map(
    await Promise.all(
      [...byCounter].map(async ([counter, sharers]) => {
        const [{ route } = { route: undefined }] = sharers;
        if (counter === undefined || route?.route !== "share") return [counter, [].values()] as const;
        const end = await counters.add(counter, sharers.length);
        return [counter, shareOut(route.candidates, end - sharers.length, sharers.length).values()] as const;
      }),
    ),
  );
  return named.map(({ route, counter, ...bound }) => ({
    ...bound,
    plan: route.route === "plan" ? route.plan : planFor(turns.get(counter)?.next().value as Candidate, bound.message),
  }));
};

const counterOf = ({ route, message }: Routed, hash: Hash): string | undefined =>
  route.route === "share" ? shareCounter(destinationKey(message.destination), route.candidates, hash) : undefined;
