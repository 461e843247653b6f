import { allFeatures, consumerFeatures } from "./features.ts";
import type { Findings } from "./findings.ts";

/** So many runs meet each fault and each feature somewhere; so many each fault at each feature that it can hit. */
export const [someRuns, enoughRuns] = [200, 5_000];

/** What goes wrong, by itself or as a step of the history. */
const faults = [
  "hint lost",
  "event doubled",
  "event late",
  "crash",
  "throttling",
  "stale view",
  "cut off",
  "peer refuses",
  "peer hangs",
  "peer accepts and says nothing",
];

/**
 * A cut is about brokers, whoever consumes there; over a connector without hops nothing is handed over; the view of what keeps order is read
 * anew each time.
 */
const cannotHit = (feature: string, fault: string): boolean =>
  (fault === "cut off" && consumerFeatures.includes(feature)) ||
  (feature === "no hop" && fault.startsWith("peer ")) ||
  (feature === "ordered" && fault === "stale view");

const rows = allFeatures.flatMap((feature) => faults.map((fault) => ({ feature, fault, row: `${feature} × ${fault}` })));

/** Rows of the census that so many runs should have met and didn't; of fewer runs, faults and features. */
export const neverFired = ({ runs, census }: Pick<Findings, "runs" | "census">): readonly string[] => {
  const possible = rows.filter(({ feature, fault }) => !cannotHit(feature, fault));
  if (runs >= enoughRuns) return possible.filter(({ row }) => !census[row]).map(({ row }) => row);
  if (runs < someRuns) return [];
  const fired = possible.filter(({ row }) => census[row]);
  return [
    ...faults.filter((fault) => !fired.some((one) => one.fault === fault)),
    ...allFeatures.filter((feature) => !fired.some((one) => one.feature === feature)),
  ];
};
