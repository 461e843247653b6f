import { backOff } from "../../carry/back-off.ts";
import type { LinkId } from "../../ids.ts";
import type { Arrival } from "../../message/arrival.ts";
import type { TransportRecord } from "../../message/message.ts";
import type { HandOverAnswer } from "../../ports.ts";
import type { Delivered } from "./carrying.ts";
import type { Planned } from "./planned.ts";
import { type Step, stepsOf } from "./steps.ts";

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

/** It wasn't looked at: the invocation that had it was nearly over, and another has all of its time. */
export const outOfTime = ({ ref }: TransportRecord): Outcome => ({
  ref,
  ends: { is: "again", seconds: 0 },
  steps: [{ verdict: "given-back", reason: "out-of-time" }],
});

/** A record is done when each of its steps is; one that must come again brings all of it back. */
export const outcomeOf = (
  arrival: Arrival,
  results: readonly (Planned | Delivered)[],
  answer: HandOverAnswer | undefined,
  receiveCount: number,
): Outcome => {
  const steps = stepsOf(arrival, results, answer);
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
