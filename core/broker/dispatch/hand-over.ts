import { destinationKey } from "../../destination/destination.ts";
import { deadLetterOf } from "../../message/dead-letter.ts";
import { encodeMessage } from "../../message/encode.ts";
import type { Message } from "../../message/message.ts";
import type { HandOver, HandOverAnswer, Targets } from "../../ports.ts";
import type { Plan, Target } from "../../routing/plan.ts";
import type { Identity } from "../identity.ts";
import type { Planned } from "./planned.ts";

export interface Handed extends Planned {
  readonly answer: HandOverAnswer;
}

/**
 * Carries out the plans of a batch that send something. Where a link proved its refusal the message rests here instead (the next pass
 * tries again), unless it rests already; a message too large for its target goes to the dead letters. Silence proves nothing: the copy comes again.
 */
export const handOverAll = async (
  targets: Targets,
  planned: readonly Planned[],
  identity: Identity,
  onRefusal: "rest" | "leave",
): Promise<readonly Handed[]> => {
  const first = await handOverOnce(targets, planned, identity);
  const again = first.map((handed) => chooseAnew(handed, onRefusal));
  const second = await handOverOnce(
    targets,
    again.filter((plan) => plan !== undefined),
    identity,
  );
  const answers = second.values();
  return first.map((handed, index) => (again[index] ? (answers.next().value as Handed) : handed));
};

const handOverOnce = async (targets: Targets, planned: readonly Planned[], identity: Identity): Promise<readonly Handed[]> => {
  if (planned.length === 0) return [];
  const answers = await targets.handOver(planned.map((one) => handOverOf(one, identity)));
  return planned.map((one, index) => ({ ...one, answer: answers[index] as HandOverAnswer }));
};

const chooseAnew = ({ answer, plan, ...bound }: Handed, onRefusal: "rest" | "leave"): Planned | undefined => {
  if (answer.answer !== "refused") return undefined;
  const { destination } = bound.message;
  if (answer.cause === "too-large" && plan.plan !== "dead-letter")
    return { ...bound, plan: { plan: "dead-letter", reason: "too-large", why: answer.why } };
  const refusedAbroad = onRefusal === "rest" && plan.plan === "hand-over" && plan.target.to === "link" && destination.kind === "queue";
  return refusedAbroad ? { ...bound, plan: { plan: "rest", destination, reason: "target-refused" } } : undefined;
};

const handOverOf = ({ plan, message }: Planned, { self, signer, hash }: Identity): HandOver => {
  const wire = encodeMessage(message, { broker: self, signer, hash });
  const group = destinationKey(message.destination);
  if (plan.plan !== "dead-letter") return { target: targetOf(plan, message), wire, group };
  return { target: { to: "dead-letters" }, wire: deadLetterOf(wire, { reason: plan.reason, why: plan.why, destination: group }), group };
};

/** The place that a sending plan names. */
export const targetOf = (plan: Plan, { destination }: Pick<Message, "destination">): Target =>
  plan.plan === "hand-over" ? plan.target : plan.plan === "rest" ? { to: "queue", destination } : { to: "dead-letters" };

export const isSending = ({ plan }: Planned): boolean => plan.plan === "hand-over" || plan.plan === "rest" || plan.plan === "dead-letter";
