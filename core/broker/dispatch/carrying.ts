import type { Audit } from "../../carry/audit.ts";
import { type Carried, type Carrier, carry, type Load } from "../../carry/carry.ts";
import type { ClaimKey } from "../../carry/claim.ts";
import { auditOnly } from "../../carry/unaudited.ts";
import type { NetworkConnector } from "../../config/slice.ts";
import { type DestinationKey, destinationKey } from "../../destination/destination.ts";
import type { LinkId } from "../../ids.ts";
import type { Message, WireMessage } from "../../message/message.ts";
import { policiesIn, type StoredPolicy } from "../../policy/policy.ts";
import type { Events, HandOverAnswer, Targets } from "../../ports.ts";
import type { Plan } from "../../routing/plan.ts";
import type { ControlEvent } from "../events.ts";
import type { Identity } from "../identity.ts";
import { encodeTogether } from "./encode-together.ts";
import { type FanPart, sendEach } from "./fan-out.ts";
import { followed } from "./followed.ts";
import { handOverOf, sentAs } from "./handing-over.ts";
import type { Planned } from "./planned.ts";
import { chooseAnew, failedLinks, park } from "./untaken.ts";
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
    const messages = loads.map(sentAs);
    const wires = encodeTogether(messages, identity);
    const wireOf = (index: number): WireMessage => wires.get(messages[index] as Message) as WireMessage;
    const answers = await targets.handOver(loads.map((load, index) => handOverOf(load, wireOf(index), identity)));
    for (const link of failedLinks(loads, answers)) failed.add(link);
    return answers;
  };
  const carrier: Carrier<Plan, Laden> = {
    audit,
    attempt: newAttempt(),
    longest,
    handOver: async (loads) => {
      const sent = await sendEach(loads, send, park, (plan) => followed(plan, plan, connectors));
      for (const [load, its] of sent.parts) parts.set(load, its);
      return sent.answers;
    },
    withPlan: (load, plan) => ({ ...load, plan: followed(plan, load.plan, connectors) }),
    chooseAnew: (load, refusal) => chooseAnew(load, refusal, onRefusal),
    park: (load) => park(load),
    accepted,
  };
  const loads = planned.map((one): Laden => ({ ...one, key: keyOf(one), owner: one.ref }));
  const policyOf = policiesIn(policies);
  const audited = new Set(loads.filter(({ message }) => policyOf(message.destination).enableAudit).map(({ key }) => key));
  const carried = await carry({ ...carrier, audit: auditOnly(audit, (key) => audited.has(key)) }, loads, now);
  const delivered = carried.map((one): Delivered => ({ ...one, ...(parts.has(one.load) && { parts: parts.get(one.load) ?? [] }) }));
  const news: ControlEvent[] = [
    ...[...failed].map((link) => ({ event: "link-failed", link, at: now }) as const),
    ...missingDeadLetters(delivered).map((destination) => ({ event: "create", destination }) as const),
  ];
  const told = [...news.map((event) => ({ to: identity.self, event })), ...looksFor(delivered, identity.self, now)];
  if (told.length > 0) await events.send(told);
  return delivered;
};

/** Destinations for dead letters that aren't there yet: control makes them, and the messages come again. */
const missingDeadLetters = (delivered: readonly Delivered[]): readonly DestinationKey[] => {
  const missing = delivered.flatMap((one) => {
    const { plan } = one.load;
    const isMissing = one.end === "again" && one.answer.answer === "refused" && one.answer.cause === "missing";
    return isMissing && plan.plan === "dead-letter" && plan.to ? [destinationKey(plan.to)] : [];
  });
  return [...new Set(missing)];
};
