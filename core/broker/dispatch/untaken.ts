import type { Refusal } from "../../carry/carry.ts";
import type { LinkId } from "../../ids.ts";
import type { HandOverAnswer } from "../../ports.ts";
import type { ParkReason } from "../../routing/plan.ts";
import type { Laden, Manner } from "./carrying.ts";

/** Links that took nothing of what they were handed; a message too large for one says nothing of it. */
export const failedLinks = (loads: readonly Laden[], answers: readonly HandOverAnswer[]): readonly LinkId[] => {
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
export const chooseAnew = (load: Laden, refusal: Refusal, onRefusal: Manner["onRefusal"]): Laden | undefined => {
  const { plan, message } = load;
  const { destination } = message;
  if (onRefusal === "keep") return undefined;
  if (refusal.cause === "too-large" && plan.plan !== "dead-letter")
    return { ...load, plan: { plan: "dead-letter", reason: "too-large", why: refusal.why } };
  if (onRefusal !== "rest" || plan.plan !== "hand-over" || plan.target.to !== "link") return undefined;
  if (destination.kind === "queue") return { ...load, plan: { plan: "rest", destination, reason: "target-refused" } };
  // A topic's message waits for this link alone: the others have theirs, and its group goes on over them.
  return { ...load, plan: { plan: "park", link: plan.target.link, destination, reason: "target-refused" } };
};

/** A link that didn't answer may have the message: a copy waits for that link alone, whose receiver drops it then. */
export const park = (load: Laden, reason: ParkReason = "target-silent"): Laden | undefined => {
  const { plan } = load;
  if (plan.plan !== "hand-over" || plan.target.to !== "link") return undefined;
  return { ...load, plan: { plan: "park", link: plan.target.link, destination: plan.destination, reason } };
};
