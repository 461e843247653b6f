import type { DrainPorts } from "../../../core/broker/dispatch/drain.ts";
import type { BrokerId } from "../../../core/ids.ts";

/** What goes wrong inside brokers, as far as a test wants it to. */
export interface Disturbance {
  /** Ports of one dispatch invocation, that may lose answers or die. */
  invocation<P extends DrainPorts>(ports: P, work: "batch" | "pass"): P;
  /** How many handlers of this broker take the same batch at once. */
  handlers(at: BrokerId): number;
  /** Does a delete that SQS accepted hold? */
  deletes(): boolean;
  /** Milliseconds by which a handler's clock is off. */
  skew(): number;
}

export const calm: Disturbance = { invocation: (ports) => ports, handlers: () => 1, deletes: () => true, skew: () => 0 };

/** The invocation ended in the middle: nothing after it happened, its batch comes again when the visibility ends. */
export class Crash extends Error {
  override readonly name = "Crash";
}

/** Runs an invocation; `undefined`: it crashed. */
export const survived = async <T>(invocation: () => Promise<T>): Promise<T | undefined> => {
  try {
    return await invocation();
  } catch (error) {
    if (error instanceof Crash) return undefined;
    throw error;
  }
};
