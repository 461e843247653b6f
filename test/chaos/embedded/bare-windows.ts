import type { Call, Fate } from "../../support/hostile/call.ts";
import { isOutput, outputOf } from "../../support/hostile/call.ts";
import type { Layer } from "../../support/hostile/fault.ts";
import { bodiesIn, cellOf, cellsIn } from "../cells.ts";
import type { Window } from "../windows.ts";
import { regions } from "./standing-network.ts";
import { isBare } from "./ways.ts";

/** What may double for a reader without `once`, who is in eu, is told by what befell its queue and the handlers there. */
export interface BareWindows {
  /** Sees what the queue's consumer receives: SQS's second delivery of a copy is no work of ours. */
  gate(call: Call, next: Layer): Promise<Fate>;
  /** A fault struck a call. `event`: of the invocation whose call it is. */
  struck(fault: string, call: Call, event: unknown): void;
  /** An invocation died at this event. */
  died(event: unknown, by: string): void;
}

const here = `${regions.eu}.`;
const writes = ["PutItem", "UpdateItem", "BatchWriteItem", "TransactWriteItems"];
const withoutOnce = (...things: readonly unknown[]): readonly string[] => bodiesIn(things).filter((body) => isBare(cellOf(body)));

export const bareWindows = (opened: (window: Window, bodies: readonly string[]) => void): BareWindows => {
  const received = new Set<string>();
  return {
    gate: async (call, next) => {
      const fate = await next(call);
      if (call.action !== "ReceiveMessage" || !cellsIn(call.input.QueueUrl).some(isBare) || !isOutput(fate)) return fate;
      for (const copy of outputOf(call, fate).Messages ?? []) {
        if (received.has(copy.MessageId)) opened("delivered-again", withoutOnce(copy));
        received.add(copy.MessageId);
      }
      return fate;
    },
    struck: (fault, call, event) => {
      if (!call.by?.startsWith(here)) return;
      const isSend = call.action.startsWith("SendMessage") && cellsIn(call.input.QueueUrl).some(isBare);
      if (isSend && fault === "lost-answers") opened("accepted-unsettled", withoutOnce(call.input));
      if (writes.includes(call.action) && call.attempt === call.attempts) opened("settle-failed", withoutOnce(event));
    },
    died: (event, by) => {
      if (by.startsWith(here)) opened("accepted-unsettled", withoutOnce(event));
    },
  };
};
