import type { FaultName } from "../../support/hostile/faults.ts";

/** What the gateway does to embedded histories. */
export const gatewayFaults: readonly FaultName[] = [
  "throttling",
  "hangs",
  "lost-answers",
  "partial-failures",
  "doubles",
  "two-handlers",
  "after-delete",
  "late-deletes",
  "reorder",
];
