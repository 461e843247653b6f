import type { LoadAnswer } from "../../carry/progress.ts";
import { type DestinationKey, destinationKey } from "../../destination/destination.ts";
import type { Arrival } from "../../message/arrival.ts";
import type { HandOverAnswer } from "../../ports.ts";
import type { Plan, Reason, Target } from "../../routing/plan.ts";
import type { Delivered } from "./carrying.ts";
import { type FanPart, isGone } from "./fan-out.ts";
import { targetOf } from "./handing-over.ts";
import type { Planned } from "./planned.ts";

/** One thing that happened to a record, in the words that logs and metrics use. */
export interface Step {
  readonly verdict: "handed-over" | "rested" | "parked" | "dropped" | "dead-lettered" | "given-back" | "passed-on";
  readonly reason: Reason | "probe" | "confirmation";
  readonly destination?: DestinationKey;
  /** `queue`, `private`, `client-queue` (of a topic subscription), `topic`, `undelivered`, `dead-letters` or a destination for them, or a link's id. */
  readonly target?: string;
  /** How many, if it has several of that name. */
  readonly targets?: number;
  /** A handler died at it: it may be there twice. */
  readonly redelivered?: true;
  /** The audit couldn't be told that it was carried. */
  readonly unsettled?: true;
  /** Of what is given back: when to look again, where that is known. */
  readonly seconds?: number;
  /** Of what nobody got: selectors that have no answer for it. */
  readonly failing?: readonly string[];
  /** What went wrong, in words. */
  readonly why?: string | undefined;
}

/** `answer`: to what isn't a message, from the dead letters or SNS. */
export const stepsOf = (arrival: Arrival, results: readonly (Planned | Delivered)[], answer: HandOverAnswer | undefined): Step[] => {
  switch (arrival.arrival) {
    case "message":
      return results.flatMap((one) => ("end" in one && one.parts ? stepsOfParts(one, one.parts) : [stepOf(one)]));
    case "probe":
      return [{ verdict: "passed-on", reason: "probe" }];
    case "confirmation":
      return answer && answer.answer !== "accepted"
        ? [{ verdict: "given-back", reason: "confirmation", why: answer.why }]
        : [{ verdict: "passed-on", reason: "confirmation" }];
    case "unknown-key":
      return [{ verdict: "given-back", reason: "unknown-key", why: `signed with key ${arrival.kid}, which no hello has brought yet` }];
    case "undecodable":
      return [
        answer?.answer === "accepted"
          ? { verdict: "dead-lettered", reason: "undecodable", why: arrival.why }
          : { verdict: "given-back", reason: "undecodable", why: arrival.why },
      ];
    default:
      return arrival satisfies never;
  }
};

const stepOf = (result: Planned | Delivered): Step => {
  if (!("end" in result)) return placed(result);
  const { load } = result;
  const destination = destinationKey(load.message.destination);
  switch (result.end) {
    case "carried":
      return { ...placed(load), ...marksOf(result) };
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
  const gone: Step = { verdict: "dropped", reason: "subscriber-gone", destination: destinationKey(result.load.message.destination) };
  if (parts.length === 0) return [gone];
  const steps = parts.map((part): Step => {
    const { load, target, answer } = part;
    if (isGone(part)) return gone;
    const step = answer.answer === "accepted" ? placed(load) : givenBack(load, answer);
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

/** What a plan comes to, once it is carried out. */
const placed = ({ plan, message, failing }: Pick<Planned, "plan" | "message" | "failing">): Step => {
  const { reason } = plan;
  const failed = failing && { failing };
  const destination = destinationKey(message.destination);
  switch (plan.plan) {
    case "drop":
      return { verdict: "dropped", reason, destination, ...failed };
    case "later":
      return { verdict: "given-back", reason, destination };
    default: {
      const why = plan.plan === "dead-letter" ? plan.why : undefined;
      const target = plan.plan === "dead-letter" && plan.to ? destinationKey(plan.to) : nameOf(targetOf(plan, message));
      return { verdict: sent[plan.plan], reason, destination, target, why, ...failed };
    }
  }
};

const sent = {
  "hand-over": "handed-over",
  "fan-out": "handed-over",
  park: "parked",
  rest: "rested",
  "dead-letter": "dead-lettered",
} as const;

const nameOf = (target: Target): string => {
  if (target.to === "link") return target.link;
  return target.to === "own-queue" ? "client-queue" : target.to;
};
