import { type CallLimits, oneAttempt } from "../aws/clients.ts";

/** Milliseconds that an invocation may run. */
interface Runs {
  readonly longest: number;
}

/**
 * What is left of an invocation when it must begin nothing more, in ms: enough to end what it is at and to give back what it holds. A short
 * one would be over before it began.
 */
export const reserveOf = ({ longest }: Runs): number => Math.min(10_000, longest / 3);

/**
 * How long a call to another region may take: 3 s, and never more than a third of the reserve. What was begun inside the time calls others
 * at most twice in a row (a hand-over, then a confirmation), so that a third of the reserve is left for the calls at home.
 */
export const remoteLimits = (runs: Runs): CallLimits => ({
  ...oneAttempt,
  requestTimeout: Math.min(oneAttempt.requestTimeout, reserveOf(runs) / 3),
});
