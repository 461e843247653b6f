import type { Audit } from "../../carry/audit.ts";
import { type Carried, type Carrier, carry, type Load, type Refusal } from "../../carry/carry.ts";
import type { ClaimKey } from "../../carry/claim.ts";
import { unaudited } from "../../carry/unaudited.ts";
import type { NetworkConnector } from "../../config/slice.ts";
import { destinationKey } from "../../destination/destination.ts";
import { isFifo } from "../../destination/fifo.ts";
import type { LinkId } from "../../ids.ts";
import { deadLetterOf } from "../../message/dead-letter.ts";
import type { Message, WireMessage } from "../../message/message.ts";
import { policyFor, type StoredPolicy } from "../../policy/policy.ts";
import type { Events, HandOver, HandOverAnswer, Targets } from "../../ports.ts";
import { laneOver } from "../../routing/lane.ts";
import type { Plan, Reason, Target } from "../../routing/plan.ts";
import type { Identity } from "../identity.ts";
import { encodeTogether } from "./encode-together.ts";
import { type FanPart, sendEach } from "./fan-out.ts";
import { followed } from "./followed.ts";
import { orderAt } from "./ordering.ts";
import type { Planned } from "./planned.ts";
import { looksFor } from "./waits.ts";

export interface CarryPorts {
  readonly identity: Identity;
  readonly targets: Targets;
  /** Control is told of links that failed. */
  readonly events: Events;
  readonly audit: Audit<Plan>;
  /** A random text, another one for each invocation. */
  newAttempt(): string;
  /** Milliseconds that an invocation may run. */
  readonly longest: number;
}

/** A planned message with what its carrier claims it by. */
export interface Laden extends Planned, Load<Plan> {}
/** `parts`: of a fan-out that this invocation sent. */
export type Delivered = Carried<Plan, Laden> & { readonly parts?: readonly FanPart[] };

/** How a door's carrier differs from another's. */
export interface Manner {
  readonly keyOf: (planned: Planned) => ClaimKey;
  /** What a link refuses rests here, or is left where it rests already. `keep`: that holds for whatever is refused, too large or not. */
  readonly onRefusal: "rest" | "leave" | "keep";
  readonly accepted: (loads: readonly Laden[]) => Promise<void>;
  readonly policies: readonly StoredPolicy[];
  readonly connectors: readonly NetworkConnector[];
}

/** Carries out the plans of a batch that send something, in the order given; the copy's own transport id owns its claim. */
export const carryOut = async (
  { identity, targets, events, audit, newAttempt, longest }: CarryPorts,
  { keyOf, onRefusal, accepted, policies, connectors }: Manner,
  planned: readonly Planned[],
  now: number,
): Promise<readonly Delivered[]> => {
  const failed = new Set<LinkId>();
  const parts = new Map<Laden, readonly FanPart[]>();
  const send = async (loads: readonly Laden[]): Promise<readonly HandOverAnswer[]> => {
    const wires = encodeTogether(
      loads.map(({ message }) => message),
      identity,
    );
    const answers = await targets.handOver(loads.map((load) => handOverOf(load, wires.get(load.message) as WireMessage, identity)));
    for (const link of failedLinks(loads, answers)) failed.add(link);
    return answers;
  };
  const carrier: Carrier<Plan, Laden> = {
    audit,
    attempt: newAttempt(),
    longest,
    handOver: async (loads) => {
      const sent = await sendEach(loads, send, park);
      for (const [load, its] of sent.parts) parts.set(load, its);
      return sent.answers;
    },
    withPlan: (load, plan) => ({ ...load, plan: followed(plan, load.plan, connectors) }),
    chooseAnew: (load, refusal) => chooseAnew(load, refusal, onRefusal),
    park: (load) => park(load),
    accepted,
  };
  const loads = planned.map((one): Laden => ({ ...one, key: keyOf(one), owner: one.ref }));
  const ofPolicy = new Set(loads.filter(({ message }) => policyFor(policies, message.destination).enableAudit));
  const isAudited = (load: Laden): boolean => ofPolicy.has(load);
  const audited = carry(carrier, loads.filter(isAudited), now);
  const free = carry(
    { ...carrier, audit: unaudited<Plan>() },
    loads.filter((load) => !isAudited(load)),
    now,
  );
  // Together: where both fail, no failure goes unhandled.
  const [once, atLeastOnce] = await Promise.all([audited.then(oneByOne), free.then(oneByOne)]);
  const carried = loads.map((load) => (isAudited(load) ? once : atLeastOnce).next().value as Carried<Plan, Laden>);
  const delivered = carried.map((one): Delivered => ({ ...one, ...(parts.has(one.load) && { parts: parts.get(one.load) ?? [] }) }));
  const told = [...failed].map((link) => ({ to: identity.self, event: { event: "link-failed", link, at: now } as const }));
  const looks = looksFor(delivered, identity.self, now);
  if (told.length + looks.length > 0) await events.send([...told, ...looks]);
  return delivered;
};

const oneByOne = (ended: readonly Delivered[]) => ended.values();

/** Links that took nothing of what they were handed; a message too large for one says nothing of it. */
const failedLinks = (loads: readonly Laden[], answers: readonly HandOverAnswer[]): readonly LinkId[] => {
  const handed = loads.flatMap(({ plan }, index) =>
    plan.plan === "hand-over" && plan.target.to === "link" ? [{ link: plan.target.link, answer: answers[index] }] : [],
  );
  const isFailure = (answer: HandOverAnswer | undefined): boolean =>
    answer?.answer !== "accepted" && !(answer?.answer === "refused" && answer.cause === "too-large");
  return [...Map.groupBy(handed, ({ link }) => link)]
    .filter(([, its]) => its.some(({ answer }) => isFailure(answer)) && !its.some(({ answer }) => answer?.answer === "accepted"))
    .map(([link]) => link);
};

/** A message too large for its target goes to the dead letters; one that a link refused rests here, and the next pass tries again. */
const chooseAnew = (load: Laden, refusal: Refusal, onRefusal: Manner["onRefusal"]): Laden | undefined => {
  const { plan, message } = load;
  const { destination } = message;
  if (onRefusal === "keep") return undefined;
  if (refusal.cause === "too-large" && plan.plan !== "dead-letter")
    return { ...load, plan: { plan: "dead-letter", reason: "too-large", why: refusal.why } };
  if (onRefusal !== "rest" || plan.plan !== "hand-over" || plan.target.to !== "link") return undefined;
  if (destination.kind === "queue") return { ...load, plan: { plan: "rest", destination, reason: "target-refused" } };
  // A FIFO topic's message waits for this link alone, so that its group goes on over the others.
  return isFifo(destination)
    ? { ...load, plan: { plan: "park", link: plan.target.link, destination, reason: "target-refused" } }
    : undefined;
};

/** A link that didn't answer may have the message: a copy waits for that link alone, whose receiver drops it then. */
const park = (load: Laden, reason: Reason = "target-silent"): Laden | undefined => {
  const { plan } = load;
  if (plan.plan !== "hand-over" || plan.target.to !== "link") return undefined;
  return { ...load, plan: { plan: "park", link: plan.target.link, destination: plan.destination, reason } };
};

const handOverOf = ({ plan, message, key }: Laden, wire: WireMessage, { hash }: Pick<Identity, "hash">): HandOver => {
  const group = destinationKey(message.destination);
  const target = targetOf(plan, message);
  if (plan.plan !== "dead-letter") return { target, wire, group, ...orderAt(target, message, key, hash) };
  return { target: { to: "dead-letters" }, wire: deadLetterOf(wire, { reason: plan.reason, why: plan.why, destination: group }), group };
};

/** The place that a sending plan names. */
export const targetOf = (plan: Plan, { destination }: Pick<Message, "destination">): Target => {
  switch (plan.plan) {
    case "hand-over":
      return plan.target;
    case "fan-out": // what SNS would deliver for
      return { to: "topic", destination };
    case "park":
      return { to: "undelivered", ...laneOver(plan.link, plan.destination) };
    case "rest":
      return { to: "queue", destination };
    default:
      return { to: "dead-letters" };
  }
};

/** The link that a plan is about: a topic's message has one plan for each. */
export const linkOf = (plan: Plan): LinkId | undefined => {
  if (plan.plan === "park") return plan.link;
  return plan.plan === "hand-over" && plan.target.to === "link" ? plan.target.link : undefined;
};

const sending: readonly Plan["plan"][] = ["hand-over", "fan-out", "park", "rest", "dead-letter"];
export const isSending = ({ plan }: Planned): boolean => sending.includes(plan.plan);
