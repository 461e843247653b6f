import { type Call, type Fate, isOutput, outputOf } from "../../support/hostile/call.ts";
import { bodiesIn, cellOf, cellsIn } from "../cells.ts";
import type { Window } from "../windows.ts";
import { acceptedBy, settledBy } from "./accepted.ts";
import { isBatch } from "./sqs-by-hand.ts";
import { regions } from "./standing-network.ts";
import { isBare } from "./ways.ts";

/** What may double for a reader without `once`, who is in eu, is told by what befell its queue and the handlers there. */
export interface BareWindows {
  /** A call met its fate; a consumer's is nobody's invocation. `event`: of the invocation whose call it is. */
  met(call: Call, fate: Fate, event: unknown): void;
  /** An invocation of a handler died at this event. */
  died(event: unknown, by: string): void;
  /** All is over: what no invocation settled was left by one that lived. */
  end(): void;
}

const here = `${regions.eu}.`;
const withoutOnce = (bodies: readonly string[]): readonly string[] => bodies.filter((body) => isBare(cellOf(body)));

export const bareWindows = (opened: (window: Window, bodies: readonly string[]) => void): BareWindows => {
  const received = new Set<string>();
  /** What the queue took from the invocation with this event, and its audit doesn't know. */
  const unsettled = new Map<unknown, readonly string[]>();
  const dead = new Set<unknown>();

  const delivered = (call: Call, fate: Fate): void => {
    if (call.action !== "ReceiveMessage" || !isOutput(fate)) return;
    for (const copy of outputOf(call, fate).Messages ?? []) {
      if (received.has(copy.MessageId)) opened("delivered-again", withoutOnce(bodiesIn(copy)));
      received.add(copy.MessageId);
    }
  };
  const took = (bodies: readonly string[], fate: Fate, event: unknown): void => {
    if (fate === "lost" || dead.has(event)) opened("accepted-unsettled", bodies);
    else unsettled.set(event, [...(unsettled.get(event) ?? []), ...bodies]);
  };

  return {
    met: (call, fate, event) => {
      const isReaders = cellsIn(call.input.QueueUrl).some(isBare);
      if (isReaders && call.by === undefined) delivered(call, fate);
      if (!call.by?.startsWith(here)) return;
      if (isReaders) took(withoutOnce(acceptedBy(call, fate)), fate, event);
      const settled = bodiesOf(settledBy(call, fate), event);
      const left = unsettled.get(event)?.filter((body) => !settled.includes(body));
      if (left) unsettled.set(event, left);
    },
    died: (event, by) => {
      if (!by.startsWith(here)) return;
      dead.add(event);
      opened("accepted-unsettled", unsettled.get(event) ?? []);
      unsettled.delete(event);
    },
    end: () => {
      for (const bodies of unsettled.values()) opened("settle-failed", bodies);
      unsettled.clear();
    },
  };
};

/** A claim's key ends with the message's id: SQS's own, or one that the message brings. */
const bodiesOf = (keys: readonly string[], event: unknown): readonly string[] => {
  const records = isBatch(event) ? event.Records : [];
  const ids = keys.map((key) => key.slice(key.lastIndexOf("|") + 1));
  const hasOne = (record: unknown): boolean => ids.some((id) => JSON.stringify(record).includes(id));
  return records.filter(hasOne).flatMap(({ body }) => bodiesIn(body));
};
