import type { Fault } from "./fault.ts";
import { afterDelete } from "./faults/after-delete.ts";
import { doubles, twoHandlers } from "./faults/copies.ts";
import { goneEndpoints } from "./faults/gone-endpoints.ts";
import { hangs } from "./faults/hangs.ts";
import { laggingDepths } from "./faults/lagging-depths.ts";
import { lateDeletes } from "./faults/late-deletes.ts";
import { lostAnswers } from "./faults/lost-answers.ts";
import { partialFailures } from "./faults/partial-failures.ts";
import { reorder } from "./faults/reorder.ts";
import { slowSubscriptions } from "./faults/slow-subscriptions.ts";
import { throttling } from "./faults/throttling.ts";
import { unknownQueues } from "./faults/unknown-queues.ts";
import { eleventhAttributes, emptyBodies, fifoDelays, topicLimits } from "./refusals/messages.ts";
import { deletedNames, fifoEndpoints, fifoNames, missingEndpoints } from "./refusals/names.ts";
import { protectedTables } from "./refusals/protected-tables.ts";
import { badReceipts } from "./refusals/receipts.ts";

interface Kind {
  readonly fault: Fault;
  /** How often it strikes where it can; 1 is always. */
  readonly rate: number;
}

/** Every way to misbehave by its name, the outermost first: a call meets them in this order. */
export const catalogue = {
  throttling: { fault: throttling, rate: 0.05 },
  hangs: { fault: hangs, rate: 0.01 },
  "lost-answers": { fault: lostAnswers, rate: 0.05 },
  "unknown-queues": { fault: unknownQueues, rate: 1 },
  "partial-failures": { fault: partialFailures, rate: 0.1 },
  "lagging-depths": { fault: laggingDepths, rate: 1 },
  "slow-subscriptions": { fault: slowSubscriptions, rate: 1 },
  // What AWS refuses and emulators allow.
  "fifo-delays": { fault: fifoDelays, rate: 1 },
  "fifo-names": { fault: fifoNames, rate: 1 },
  "fifo-endpoints": { fault: fifoEndpoints, rate: 1 },
  "protected-tables": { fault: protectedTables, rate: 1 },
  "deleted-names": { fault: deletedNames, rate: 1 },
  "empty-bodies": { fault: emptyBodies, rate: 1 },
  "eleventh-attributes": { fault: eleventhAttributes, rate: 1 },
  "bad-receipts": { fault: badReceipts, rate: 1 },
  "missing-endpoints": { fault: missingEndpoints, rate: 1 },
  "topic-limits": { fault: topicLimits, rate: 1 },
  "gone-endpoints": { fault: goneEndpoints, rate: 1 },
  // Receipts of the emulator's own from here on.
  doubles: { fault: doubles, rate: 0.1 },
  "two-handlers": { fault: twoHandlers, rate: 0.1 },
  "after-delete": { fault: afterDelete, rate: 0.1 },
  "late-deletes": { fault: lateDeletes, rate: 0.05 },
  reorder: { fault: reorder, rate: 0.3 },
} as const satisfies Record<string, Kind>;

export type FaultName = keyof typeof catalogue;
export const faultNames = Object.keys(catalogue) as readonly FaultName[];

/** What AWS refuses and emulators allow: who knows AWS never meets these. */
export const refusals = faultNames.slice(faultNames.indexOf("fifo-delays"), faultNames.indexOf("gone-endpoints") + 1);
