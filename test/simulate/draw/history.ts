import { picksOf } from "../../support/histories/picks.ts";
import { dice } from "../../support/hostile/dice.ts";
import { linksOf } from "../features.ts";
import type { History } from "../history.ts";
import { faultNames } from "../troubles.ts";
import { drawNetwork } from "./network.ts";
import { drawSteps } from "./steps.ts";

/** The history of a seed. */
export const drawHistory = (seed: number): History => {
  const draw = dice(seed);
  const picks = picksOf(draw);
  const network = drawNetwork(picks, draw);
  const drawn = drawSteps(picks, network);
  const hasDurables = [...drawn.before, ...drawn.steps].some((step) => step.step === "consume" && step.durable);
  const runsLate = linksOf(network).some(({ connector }) => connector.autoStart === false);
  const faults = faultNames.filter((name) => picks.chance(name, name === "control dies" ? 0.2 : 0.4));
  return {
    seed,
    network,
    // Whether a durable subscription had its client since a link first ran must be known for sure.
    faults: hasDurables && runsLate ? faults.filter((name) => name === "stale views" || name === "small batches") : faults,
    faultsFromTheStart: picks.chance("from the start", 0.2) && !hasDurables,
    subscriptionLagMs: picks.pick("lag", [0, 0, 1_000, 10_000]),
    ...drawn,
  };
};
