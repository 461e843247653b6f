import type { LoadAnswer } from "../../carry/progress.ts";
import { type DestinationKey, destinationKey } from "../../destination/destination.ts";
import type { LinkId } from "../../ids.ts";
import type { Arrival } from "../../message/arrival.ts";
import type { Message, TransportRecord } from "../../message/message.ts";
import type { HandOverAnswer } from "../../ports.ts";
import type { Plan, Reason, Target } from "../../routing/plan.ts";
import { type Delivered, targetOf } from "./carrying.ts";
import { type FanPart, isGone } from "./fan-out.ts";
import type { Planned } from "./planned.ts";

/** One thing that happened to a record, in the words that logs and metrics use. */
export interface Step {
  readonly verdict: "handed-over" | "rested" | "parked" | "dropped" | "dead-lettered" | "given-back" | "passed-on";
  readonly reason: Reason | "probe" | "confirmation";
  readonly destination?: DestinationKey;
  /** `queue`, `private`, `topic`, `dead-letters`, or a link's id. */
  readonly target?: string;
  /** How many, if it has several of that name. */
  readonly targets?: number;
  /** A handler died at it: it may be there twice. */
  readonly redelivered?: true;
  /** The audit couldn't be told that it was carried. */
  readonly unsettled?: true;
  /** Of what is given back: when to look again, where that is known. */
  readonly seconds?: number;
  /** What went wrong, in words. */
  readonly why?: string | undefined;
}

/** What became of one record: delete it, or let it come again in some seconds. */
export interface Outcome {
  readonly ref: string;
  readonly ends: { readonly is: "done" } | { readonly is: "again"; readonly seconds: number };
  readonly messageId?: string;
  readonly cameBy?: LinkId;
  readonly steps: readonly Step[];
}

/** It wasn't looked at: one of its group comes again, and it with that one. */
export const behindItsGroup = ({ ref }: TransportRecord, { ends }: Outcome): Outcome => ({
  ref,
  ends,
  steps: [{ verdict: "given-back", reason: "behind-its-group" }],
});

/** Two seconds, doubling with each receive to half an hour. */
export const backOff = (receiveCount: number): number => Math.min(1_800, 2 ** Math.min(Math.max(receiveCount, 1), 11));

/** A record is done when each of its steps is; one that must come again brings all of it back. */
export const outcomeOf = (
  arrival: Arrival,
  results: readonly (Planned | Delivered)[],
  buried: HandOverAnswer | undefined,
  receiveCount: number,
): Outcome => {
  const steps = stepsOf(arrival, results, buried);
  const again = steps.some(isGivenBack);
  return {
    ref: arrival.ref,
    ends: again ? { is: "again", seconds: pauseFor(steps, receiveCount) } : { is: "done" },
    ...(arrival.arrival === "message" ? { messageId: arrival.message.id, ...(arrival.cameBy ? { cameBy: arrival.cameBy } : {}) } : {}),
    steps,
  };
};

const isGivenBack = ({ verdict }: Step): boolean => verdict === "given-back";

/** Until the last of its steps may be worth another try. */
const pauseFor = (steps: readonly Step[], receiveCount: number): number =>
  Math.max(...steps.filter(isGivenBack).map(({ seconds = backOff(receiveCount) }) => seconds));

const stepsOf = (arrival: Arrival, results: readonly (Planned | Delivered)[], buried: HandOverAnswer | undefined): Step[] => {
  switch (arrival.arrival) {
    case "message":
      return results.flatMap((one) => ("end" in one && one.parts ? stepsOfParts(one, one.parts) : [stepOf(one)]));
    case "probe":
      return [{ verdict: "passed-on", reason: "probe" }];
    case "confirmation":
      return [{ verdict: "passed-on", reason: "confirmation" }];
    case "unknown-key":
      return [{ verdict: "given-back", reason: "unknown-key", why: `signed with key ${arrival.kid}, which no hello has brought yet` }];
    case "undecodable":
      return [
        buried?.answer === "accepted"
          ? { verdict: "dead-lettered", reason: "undecodable", why: arrival.why }
          : { verdict: "given-back", reason: "undecodable", why: arrival.why },
      ];
    default:
      return arrival satisfies never;
  }
};

const stepOf = (result: Planned | Delivered): Step => {
  if (!("end" in result)) return plannedStep(result);
  const { load } = result;
  const destination = destinationKey(load.message.destination);
  switch (result.end) {
    case "carried":
      return { ...placed(load.plan, load.message), ...marksOf(result) };
    case "duplicate":
      return { verdict: "dropped", reason: "duplicate", destination };
    case "in-progress":
      return { verdict: "given-back", reason: "in-progress", destination, seconds: Math.ceil(result.ms / 1_000) };
    case "again":
      return givenBack(load, result.answer);
    default:
      return result satisfies never;
  }
};

/** What a fan-out came to: alike targets are one step; one that is left brings the message back, for that target alone. */
const stepsOfParts = (result: Delivered, parts: readonly FanPart[]): Step[] => {
  const steps = parts.map((part): Step => {
    const { load, target, answer } = part;
    if (isGone(part)) return { verdict: "dropped", reason: "subscriber-gone", destination: destinationKey(load.message.destination) };
    const step = answer.answer === "accepted" ? placed(load.plan, load.message) : givenBack(load, answer);
    return { ...step, target: nameOf(target), ...marksOf(result) };
  });
  const alike = [...Map.groupBy(steps, (step) => JSON.stringify(step)).values()];
  return alike.flatMap(([step, ...more]) => (step ? [{ ...step, ...(more.length > 0 && { targets: 1 + more.length }) }] : []));
};

const marksOf = (result: Delivered): Pick<Step, "redelivered" | "unsettled"> => ({
  ...(result.end === "carried" && result.takenOver && { redelivered: true }),
  ...(result.end === "carried" && !result.settled && { unsettled: true }),
});

const givenBack = ({ plan, message }: Planned, answer: LoadAnswer<Plan>): Step => ({
  verdict: "given-back",
  reason: answer.answer === "refused" ? "target-refused" : "target-silent",
  destination: destinationKey(message.destination),
  target: nameOf(targetOf(plan, message)),
  why: "why" in answer ? answer.why : undefined,
});

/** What a plan came to that sends nothing. */
const plannedStep = ({ plan, message }: Planned): Step => {
  const destination = destinationKey(message.destination);
  if (plan.plan === "drop") return { verdict: "dropped", reason: plan.reason, destination };
  if (plan.plan === "later") return { verdict: "given-back", reason: plan.reason, destination };
  return placed(plan, message);
};

const sent = {
  "hand-over": "handed-over",
  "fan-out": "handed-over",
  park: "parked",
  rest: "rested",
  "dead-letter": "dead-lettered",
} as const;

const placed = (plan: Plan, message: Message): Step => {
  if (plan.plan === "drop" || plan.plan === "later") return plannedStep({ ref: "", plan, message });
  const why = plan.plan === "dead-letter" ? plan.why : undefined;
  return {
    verdict: sent[plan.plan],
    reason: plan.reason,
    destination: destinationKey(message.destination),
    target: nameOf(targetOf(plan, message)),
    why,
  };
};

const nameOf = (target: Target): string => (target.to === "link" ? target.link : target.to);
