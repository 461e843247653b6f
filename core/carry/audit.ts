import type { ClaimKey, ClaimRecord } from "./claim.ts";

export interface Claim<P> {
  readonly key: ClaimKey;
  readonly owner: string;
  readonly attempt: string;
  readonly plan: P;
}
/** Whose claim is meant: one that another attempt has taken over since isn't. */
export type ClaimOf = Pick<Claim<unknown>, "key" | "attempt">;

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
  /** After the target accepted and before the transport's delete: dying between the two repeats nothing. `unsettled`: it failed for good. */
  settle(claims: readonly ClaimOf[]): Promise<readonly ("settled" | "unsettled")[]>;
  /** Only after an answer that proves the target did not accept: a time-out proves nothing. */
  release(claims: readonly ClaimOf[]): Promise<void>;
}
