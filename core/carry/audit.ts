import type { ClaimKey, ClaimRecord } from "./claim.ts";

export interface Claim<P> {
  readonly key: ClaimKey;
  readonly owner: string;
  readonly attempt: string;
  readonly plan: P;
}
/** Whose claim is meant: one that another attempt has taken over since isn't. */
export type ClaimOf = Pick<Claim<unknown>, "key" | "attempt">;
/** A claim whose target accepted. */
export type Settled = Pick<Claim<unknown>, "key">;

/** What is left to do for a claim. */
export interface Left<P> extends ClaimOf {
  readonly left: P;
}

export type ClaimAnswer<P> =
  | { readonly answer: "granted" }
  | { readonly answer: "found"; readonly record: ClaimRecord<P> }
  /** The store didn't answer, or refused: whether the claim stands isn't known. */
  | { readonly answer: "unknown"; readonly why: string };

/**
 * Remembers what carriers have taken on, by key. Each claim is one conditional write; answers come in the order given, never a throw for one.
 * Crash window: a claim survives its writer's death. Only `settle`, a proven refusal (`release`) or its age ends it.
 */
export interface Audit<P> {
  claim(claims: readonly Claim<P>[], now: number): Promise<readonly ClaimAnswer<P>[]>;
  /** Replaces a claim by ours if it is still the one found; the stored plan stays. Of two that try, one is granted. */
  takeOver(claim: Claim<P>, found: ClaimRecord<P>, now: number): Promise<"granted" | "lost">;
  /**
   * Of several targets some accepted: the claim's plan is from now on what is left of it, and whoever comes next takes it over at once.
   * Crash window: what the lost or late write was to say is handed over once more.
   */
  progress(claims: readonly Left<P>[]): Promise<void>;
  /**
   * After the target accepted and before the transport's delete: dying between the two repeats nothing. Done from then on, whoever holds the
   * claim by now: its target has it. `unsettled`: it failed for good.
   */
  settle(claims: readonly Settled[], now: number): Promise<readonly ("settled" | "unsettled")[]>;
  /**
   * Only after an answer that proves the target did not accept: a time-out proves nothing. `released`: the claim isn't this attempt's any
   * more, or its target has it; `unreleased`: that failed for good, and it may stand until its age ends it.
   */
  release(claims: readonly ClaimOf[]): Promise<readonly ("released" | "unreleased")[]>;
}
