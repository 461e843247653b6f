import { destinationKey } from "../../destination/destination.ts";
import type { LinkId } from "../../ids.ts";
import { asDeadLetter, deadLetterOf } from "../../message/dead-letter.ts";
import type { Message, WireMessage } from "../../message/message.ts";
import type { HandOver } from "../../ports.ts";
import { laneOver } from "../../routing/lane.ts";
import type { Plan, Target } from "../../routing/plan.ts";
import type { Identity } from "../identity.ts";
import type { Laden } from "./carrying.ts";
import { orderAt } from "./ordering.ts";
import type { Planned } from "./planned.ts";

/** A load as its target gets it; a dead letter says why it is one. */
export const handOverOf = ({ plan, message, key }: Laden, wire: WireMessage, { hash }: Pick<Identity, "hash">): HandOver => {
  const group = destinationKey(message.destination);
  const target = targetOf(plan, message);
  if (plan.plan !== "dead-letter") return { target, wire, group, ...orderAt(target, message, key, hash) };
  return { target, wire: deadLetterOf(wire, { reason: plan.reason, why: plan.why, destination: group }), group };
};

/** A load's message as it is sent. */
export const sentAs = ({ plan, message }: Pick<Planned, "plan" | "message">): Message =>
  plan.plan === "dead-letter" && plan.to ? asDeadLetter(message, plan.to, plan.why ?? plan.reason, plan.expiration ?? 0) : message;

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
    case "dead-letter":
      return plan.to ? { to: plan.to.kind === "topic" ? "topic" : "queue", destination: plan.to } : { to: "dead-letters" };
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
