import { type DestinationKey, destinationKey } from "../../destination/destination.ts";
import type { LinkId } from "../../ids.ts";
import type { Arrival } from "../../message/arrival.ts";
import type { HandOverAnswer } from "../../ports.ts";
import type { Reason, Target } from "../../routing/plan.ts";
import { type Handed, targetOf } from "./hand-over.ts";
import type { Planned } from "./planned.ts";

/** One thing that happened to a record, in the words that logs and metrics use. */
export interface Step {
  readonly verdict: "handed-over" | "rested" | "dropped" | "dead-lettered" | "given-back" | "passed-on";
  readonly reason: Reason | "probe" | "confirmation";
  readonly destination?: DestinationKey;
  /** `queue`, `private`, `topic`, `dead-letters`, or a link's id. */
  readonly target?: string;
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

/** Two seconds, doubling with each receive to half an hour. */
export const backOff = (receiveCount: number): number => Math.min(1_800, 2 ** Math.min(Math.max(receiveCount, 1), 11));

/** A record is done when each of its steps is; one that must come again brings all of it back. */
export const outcomeOf = (
  arrival: Arrival,
  results: readonly (Planned | Handed)[],
  buried: HandOverAnswer | undefined,
  receiveCount: number,
): Outcome => {
  const steps = stepsOf(arrival, results, buried);
  const again = steps.some(({ verdict }) => verdict === "given-back");
  return {
    ref: arrival.ref,
    ends: again ? { is: "again", seconds: backOff(receiveCount) } : { is: "done" },
    ...(arrival.arrival === "message" ? { messageId: arrival.message.id, ...(arrival.cameBy ? { cameBy: arrival.cameBy } : {}) } : {}),
    steps,
  };
};

const stepsOf = (arrival: Arrival, results: readonly (Planned | Handed)[], buried: HandOverAnswer | undefined): Step[] => {
  switch (arrival.arrival) {
    case "message":
      return results.map(stepOf);
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

const sent = { "hand-over": "handed-over", rest: "rested", "dead-letter": "dead-lettered" } as const;

const stepOf = (result: Planned | Handed): Step => {
  const { plan, message } = result;
  const destination = destinationKey(message.destination);
  if (plan.plan === "drop") return { verdict: "dropped", reason: plan.reason, destination };
  if (plan.plan === "later") return { verdict: "given-back", reason: plan.reason, destination };
  const target = nameOf(targetOf(plan, message));
  const why = plan.plan === "dead-letter" ? plan.why : undefined;
  if (!("answer" in result) || result.answer.answer === "accepted")
    return { verdict: sent[plan.plan], reason: plan.reason, destination, target, why };
  const reason = result.answer.answer === "refused" ? "target-refused" : "target-silent";
  return { verdict: "given-back", reason, destination, target, why: result.answer.why };
};

const nameOf = (target: Target): string => (target.to === "link" ? target.link : target.to);
