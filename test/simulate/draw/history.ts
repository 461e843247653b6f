import { picksOf } from "../../support/histories/picks.ts";
import { dice } from "../../support/hostile/dice.ts";
import { linksOf } from "../features.ts";
import type { History, Step } from "../history.ts";
import { faultNames } from "../troubles.ts";
import { drawNetwork } from "./network.ts";
import { drawSteps } from "./steps.ts";

/** The history of a seed. */
export const drawHistory = (seed: number): History => {
  const draw = dice(seed);
  const picks = picksOf(draw);
  const network = drawNetwork(picks, draw);
  const drawn = { network, ...drawSteps(picks, network) };
  const faults = faultNames.filter((name) => picks.chance(name, name === "control dies" ? 0.2 : 0.4));
  const faultsFromTheStart = picks.chance("from the start", 0.2);
  const subscriptionLagMs = picks.pick("lag", [0, 0, 1_000, 10_000]);
  const history = { seed, faults, faultsFromTheStart, subscriptionLagMs, ...drawn };
  return keepsDemand(drawn) ? withSureDurables(history) : history;
};

const keepsDemand = ({ network, before, steps }: Pick<History, "network" | "before" | "steps">): boolean =>
  JSON.stringify(network).includes("?forceDurable=true") || [...before, ...steps].some((step) => step.step === "consume" && step.durable);

/**
 * What becomes of durable demand must be known for sure: whether a subscription had its client since a link first ran, and, where a link
 * doesn't carry, that not two brokers each take the other for the way around.
 */
const withSureDurables = (history: History): History => {
  const { network, faults, steps } = history;
  const runsLate = linksOf(network).some(({ connector }) => connector.autoStart === false);
  const stopped = steps.find(({ step }) => step === "stop");
  const isSure = (step: Step): boolean =>
    step.step !== "stop" || (stopped?.step === "stop" && step.at === stopped.at && step.connector === stopped.connector);
  const brokers = Object.entries(network.brokers).map(([id, { peerLease: _, ...broker }]) => [id, broker] as const);
  return {
    ...history,
    network: { ...network, brokers: Object.fromEntries(brokers) },
    faults: runsLate ? faults.filter((name) => name === "stale views" || name === "small batches") : faults,
    faultsFromTheStart: false,
    steps: steps.filter(isSure),
  };
};
