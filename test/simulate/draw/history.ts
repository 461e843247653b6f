import { picksOf } from "../../support/histories/picks.ts";
import { dice } from "../../support/hostile/dice.ts";
import type { History } from "../history.ts";
import { faultNames } from "../troubles.ts";
import { drawNetwork } from "./network.ts";
import { drawSteps } from "./steps.ts";

/** The history of a seed. */
export const drawHistory = (seed: number): History => {
  const draw = dice(seed);
  const picks = picksOf(draw);
  const network = drawNetwork(picks, draw);
  return {
    seed,
    network,
    faults: faultNames.filter((name) => picks.chance(name, name === "control dies" ? 0.2 : 0.4)),
    faultsFromTheStart: picks.chance("from the start", 0.2),
    subscriptionLagMs: picks.pick("lag", [0, 0, 1_000, 10_000]),
    ...drawSteps(picks, network),
  };
};
