import { catalogue, type FaultName } from "../../support/hostile/faults.ts";

/** What the gateway does to embedded histories, and how many times as often as usual at most. Copies are few: what befalls them is frequent. */
const most = {
  throttling: 1,
  hangs: 1,
  "lost-answers": 1,
  "partial-failures": 1,
  doubles: 2,
  "two-handlers": 2,
  "after-delete": 2,
  "late-deletes": 4,
  reorder: 3,
} as const satisfies Partial<Record<FaultName, number>>;

export const gatewayFaults = Object.keys(most) as readonly (keyof typeof most)[];

/** Rates of one history. */
export const drawRates = (draw: (row: string) => number): Readonly<Partial<Record<FaultName, number>>> =>
  Object.fromEntries(gatewayFaults.map((name) => [name, catalogue[name].rate * most[name] * draw(name)]));
