import { windows as carriers } from "../chaos/windows.ts";

/** Where a message may be there twice all the same: a carrier's, and what is behind them. */
export const windows = {
  ...carriers,
  "claim-forgotten": "a claim is remembered for 15 days: what comes again later is carried again",
  "handler-unsettled": "a handler behind `once` had its effect and died, or threw, before the store knew",
} as const;
export type WindowName = keyof typeof windows;
