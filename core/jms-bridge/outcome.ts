import { backOff } from "../carry/back-off.ts";
import type { Ended } from "../carry/quality-of-service.ts";
import type { BridgeLoad } from "./carrying.ts";
import type { BridgePlan } from "./ports.ts";

/** What became of one copy, in the words that logs and metrics use. */
export interface TransferOutcome {
  readonly ref: string;
  readonly messageId: string;
  /** `lost`: AT_MOST_ONCE deleted it, and the target didn't take it or didn't say so. */
  readonly verdict: "handed-over" | "parked" | "dead-lettered" | "dropped" | "given-back" | "lost";
  readonly reason?: "duplicate" | "in-progress" | "undecodable" | "too-large" | "target-refused" | "target-silent";
  readonly why?: string;
  /** A handler died at it: it may be at the target twice. */
  readonly redelivered?: true;
  /** The audit couldn't be told that it was carried. */
  readonly unsettled?: true;
  /** Seconds until it comes again; absent: it is done. */
  readonly again?: number;
}

const placed = { target: "handed-over", undelivered: "parked", "dead-letters": "dead-lettered" } as const;

export const outcomeOf = (ended: Ended<BridgePlan, BridgeLoad>): TransferOutcome => {
  const { copy, messageId, plan, given } = ended.load;
  const one = { ref: copy.ref, messageId };
  switch (ended.end) {
    case "carried":
      return {
        ...one,
        verdict: placed[plan],
        ...(plan === "dead-letters" && given),
        ...(ended.takenOver && { redelivered: true }),
        ...(!ended.settled && { unsettled: true }),
      };
    case "duplicate":
      return { ...one, verdict: "dropped", reason: "duplicate" };
    case "in-progress":
      return { ...one, verdict: "given-back", reason: "in-progress", again: Math.ceil(ended.ms / 1_000) };
    case "lost":
      return { ...one, verdict: "lost", ...reasonOf(ended) };
    case "again":
      return { ...one, verdict: "given-back", ...reasonOf(ended), again: backOff(copy.receiveCount) };
    default:
      return ended satisfies never;
  }
};

const reasonOf = ({ answer }: Extract<Ended<BridgePlan, BridgeLoad>, { readonly end: "lost" | "again" }>) => {
  if (answer.answer === "accepted") return {};
  return { reason: answer.answer === "refused" ? "target-refused" : "target-silent", why: answer.why } as const;
};
