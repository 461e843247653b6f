/** What tells one load from all others: (scope, message id). A redelivery has the same key, another visit or target another one. */
export type ClaimKey = string;

/** A load that a carrier took on, as the audit keeps it. `P` is its plan, as data. */
export interface ClaimRecord<P> {
  /** Transport id of the copy that it was taken on for. */
  readonly owner: string;
  /** Random, one per invocation: tells a handler's own repeated call from another handler. */
  readonly attempt: string;
  /** Milliseconds since the epoch, the carrier's clock. */
  readonly claimedAt: number;
  /** Where it goes. A retry follows it, unless the target proved that it refused. */
  readonly plan: P;
  /** `open`: its carrier is done with it and left some of its plan to whoever comes. */
  readonly state: "claimed" | "open" | "done";
}

export type ClaimVerdict =
  | { readonly verdict: "drop" }
  /** Somebody else is at it, or died at it: look again when no handler of that time can be running. */
  | { readonly verdict: "give-back"; readonly ms: number }
  | { readonly verdict: "take-over" }
  /** Our own call, repeated by the SDK after a lost answer. */
  | { readonly verdict: "ours" };

/** More than a handler's clock may run ahead of its limit. */
const margin = 5_000;

/**
 * What to do with a copy whose key is claimed already, whoever owns the claim: who owns a copy doesn't tell whether its handler lives
 * (one copy may be in two). `longest`: milliseconds that a handler may run.
 */
export const judgeClaim = (
  { state, attempt, claimedAt }: Omit<ClaimRecord<unknown>, "plan" | "owner">,
  own: { readonly attempt: string },
  now: number,
  longest: number,
): ClaimVerdict => {
  if (state === "done") return { verdict: "drop" };
  if (state === "open") return { verdict: "take-over" };
  if (attempt === own.attempt) return { verdict: "ours" };
  const left = claimedAt + longest + margin - now;
  return left > 0 ? { verdict: "give-back", ms: left } : { verdict: "take-over" };
};
