import type { PassOrder } from "../../../core/broker/events.ts";
import type { ClaimAnswer, ClaimOf, Settled } from "../../../core/carry/audit.ts";
import type { BrokerId } from "../../../core/ids.ts";
import type { HandOver, HandOverAnswer, RestingCopy } from "../../../core/ports.ts";
import { claimedWindows } from "./claimed-windows.ts";
import type { OrderedWindows } from "./ordered-windows.ts";
import { takenWindows } from "./taken-windows.ts";

/** One invocation's windows, as they open and close with each call that was answered. */
export interface OpenWindows {
  /** Of a pass. */
  received(copies: readonly RestingCopy[]): void;
  claimed(claims: readonly ClaimOf[], answers: readonly ClaimAnswer<unknown>[]): void;
  /** Its target has it, or may have if it is silent. */
  handed(one: HandOver, answer: HandOverAnswer["answer"]): void;
  /** The audit knows what became of these, or of their parts that aren't left; or never will. */
  settled(claims: readonly Settled[]): void;
  unsettled(claims: readonly Settled[]): void;
  removed(copies: readonly RestingCopy[]): void;
  /** The invocation ends here, dead or alive. */
  ended(how: "dead" | "alive"): void;
}

/** What a link gets twice its receiver drops, whoever sent it: a pass over what is parked for one opens nothing. */
export const openWindows = (
  work: "batch" | PassOrder,
  ledger: Pick<OrderedWindows, "opened">,
  at: BrokerId,
  isOvertaken?: (claim: Settled) => boolean,
): OpenWindows => {
  if (work === "batch") return claimedWindows(ledger, at, "door", isOvertaken);
  switch (work.place.to) {
    case "queue":
      return takenWindows(ledger, at);
    case "private": // its consumer is gone: only passes take from it
      return claimedWindows(ledger, at, "pass");
    default:
      return shut;
  }
};

const shut: OpenWindows = {
  received: () => {},
  claimed: () => {},
  handed: () => {},
  settled: () => {},
  unsettled: () => {},
  removed: () => {},
  ended: () => {},
};
