import type { TransferOutcome } from "../core/jms-bridge/outcome.ts";
import type { Sinks } from "./observe.ts";

/** Says what became of each message at a JMS bridge, and counts it in the same words. */
export interface TransferObserver {
  transferred(bridge: string, outcomes: readonly TransferOutcome[]): void;
}

const troubles: readonly TransferOutcome["verdict"][] = ["parked", "given-back", "dead-lettered", "lost"];

export const transferObserver = ({ log, count }: Sinks): TransferObserver => ({
  transferred: (bridge, outcomes) => {
    for (const outcome of outcomes) log(troubles.includes(outcome.verdict) ? "warn" : "info", outcome.verdict, { bridge, ...outcome });
    for (const [verdict, { length }] of Map.groupBy(outcomes, (outcome) => outcome.verdict)) count(verdict, `bridge ${bridge}`, length);
  },
});
