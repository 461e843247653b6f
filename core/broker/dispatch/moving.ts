import type { ClaimKey } from "../../carry/claim.ts";
import { restingKey } from "../../carry/scope.ts";
import { destinationNamed } from "../../message/decode.ts";
import { policiesIn } from "../../policy/policy.ts";
import type { RestingCopy } from "../../ports.ts";
import type { DrainedPlace, RestingPlace } from "../../routing/plan.ts";
import { soon } from "../looks.ts";
import { placeKey } from "../resting.ts";
import { carryOut, type Delivered } from "./carrying.ts";
import { decoderAt } from "./door.ts";
import { gathering } from "./gathering.ts";
import { isSending, targetOf } from "./handing-over.ts";
import type { IntakePorts } from "./intake.ts";
import { orderOfParked } from "./ordering.ts";
import { type Bound, boundsOf, type Planned, planAll } from "./planned.ts";
import { takePlaces } from "./rates.ts";
import { markResting } from "./resting-marks.ts";
import { inWaves } from "./waves.ts";

type Shelter = Extract<DrainedPlace, { readonly to: "undelivered" }>;

/** What became of a copy that a pass received. */
export interface Judged {
  readonly copy: RestingCopy;
  /** `moved`: it stands elsewhere now, or nowhere any more. `refused`: it should, but nobody took it. */
  readonly fate: "moved" | "refused" | "stays";
  /** Of what nobody took, or somebody may be at: when to try again (clock). */
  readonly againAt?: number;
  /** It waits for a rate's next window. */
  readonly spent?: true;
  /** Of what could be decoded. */
  readonly planned?: Planned;
}

/**
 * Judges each copy anew and sends on what has a place elsewhere; what waits for one link goes to that link alone. Of a FIFO queue's group
 * nobody overtakes a copy that doesn't leave. What there is no time for any more stays.
 */
export const moveOn = async (
  ports: IntakePorts,
  place: RestingPlace | Shelter,
  copies: readonly RestingCopy[],
  now: number,
  mayContinue: () => boolean,
): Promise<readonly Judged[]> => {
  const { events, flush } = gathering(ports.events);
  const move = (wave: readonly RestingCopy[]) =>
    place.to === "undelivered" ? redrive(ports, place, wave, now) : routeAnew({ ...ports, events }, place, wave, now);
  const judged = await inWaves<RestingCopy, Judged>(copies, move, {
    stops: ({ fate }) => fate !== "moved",
    behind: (copy, stopper) => ({ ...stopper, copy }),
    mayContinue,
    unbegun: (copy) => ({ copy, fate: "stays" }),
  });
  await flush();
  return judged;
};

/** As they came, as fast as their policies let them: the link's receiver knows which of them it has. */
const redrive = async (
  { targets, identity, views, counters }: IntakePorts,
  { link, fifo }: Shelter,
  copies: readonly RestingCopy[],
  now: number,
): Promise<readonly Judged[]> => {
  const { destinationPolicies = [] } = (await views.broker()).slice;
  const isLimited = destinationPolicies.some(({ rateLimit = 0 }) => rateLimit > 0);
  // What SNS gave up on says its topic inside, and isn't limited: else it would have come by the feed.
  const destinations = copies.map((copy) => (isLimited ? destinationNamed(copy) : undefined));
  const crossings = destinations.map((destination) => destination && { link, destination });
  const waits = await takePlaces(counters, crossings, policiesIn(destinationPolicies), now);
  const handed = await targets.handOver(
    copies
      .filter((_, index) => waits[index] === undefined)
      .map(({ id, body, attributes, group }) => ({
        target: { to: "link", link, ...(fifo && { fifo }) },
        wire: { body, attributes },
        ...orderOfParked(group, id, link, identity.hash),
      })),
  );
  const answers = handed.values();
  const refused = { fate: "refused", ...(fifo && { againAt: now + soon }) } as const; // else the next probe that crosses tells
  return copies.map((copy, index): Judged => {
    const againAt = waits[index];
    if (againAt !== undefined) return { copy, fate: "stays", againAt, spent: true };
    return answers.next().value?.answer === "accepted" ? { copy, fate: "moved" } : { copy, ...refused };
  });
};

const routeAnew = async (
  ports: IntakePorts,
  place: RestingPlace,
  copies: readonly RestingCopy[],
  now: number,
): Promise<readonly Judged[]> => {
  const broker = await ports.views.broker();
  const decode = decoderAt({ door: "rest", place }, ports.identity, broker);
  const bounds = copies.flatMap((copy): Bound[] => {
    const arrival = decode(copy);
    return arrival.arrival === "message" ? boundsOf(arrival).map((bound) => ({ ...bound, hereSince: copy.sentAt })) : [];
  });
  const planned = await planAll(ports, bounds, broker, now);
  const leaving = planned.filter((plan) => isSending(plan) && !staysIn(place, plan)).map(elsewhere);
  const delivered = await carryOut(
    ports,
    {
      keyOf: keyIn(place),
      onRefusal: "leave",
      accepted: (loads) => markResting(ports.counters, loads),
      policies: broker.slice.destinationPolicies ?? [],
      connectors: broker.slice.connectors,
    },
    leaving,
    now,
  );
  const ends = new Map(delivered.map((one) => [one.load.ref, fateOf(one, now)] as const));
  const plans = new Map(planned.map((one) => [one.ref, one]));
  return copies.map((copy) => {
    const known = plans.get(copy.ref);
    const isDropped = known?.plan.plan === "drop";
    const spent = known?.plan.reason === "rate-limit" && { spent: true as const };
    return { copy, ...spent, ...(ends.get(copy.ref) ?? { fate: isDropped ? "moved" : "stays" }), ...(known && { planned: known }) };
  });
};

const fateOf = (delivered: Delivered, now: number): Pick<Judged, "fate" | "againAt"> => {
  if (delivered.end === "carried" || delivered.end === "duplicate") return { fate: "moved" };
  return { fate: "refused", againAt: now + (delivered.end === "in-progress" ? delivered.ms : soon) };
};

/** Claims of a resting copy go by its own transport id: the message may rest here again. */
export const keyIn =
  (place: RestingPlace) =>
  ({ ref }: Planned): ClaimKey =>
    restingKey(placeKey(place), ref);

/** Copies are counted in one place. */
const elsewhere = (planned: Planned): Planned => ({ ...planned, message: { ...planned.message, copies: 0 } });

/** Its own place is where the plan would put it. */
export const staysIn = (place: DrainedPlace, { plan, message }: Planned): boolean => {
  const target = targetOf(plan, message);
  return (target.to === "queue" || target.to === "private") && placeKey(target) === placeKey(place);
};
