import type { ClaimOf, Settled } from "../../core/carry/audit.ts";
import type { ClaimRecord } from "../../core/carry/claim.ts";

/** Milliseconds: a simulated function's longest run, and what the rule waits beyond it. Not the rule's own: what spoils that excuses nothing. */
const [longest, margin] = [60_000, 5_000];

/**
 * Claims that were taken, because clocks differ, from an attempt that may be alive: it is if it settles its own after that. `trueTime`: by
 * no invocation's clock.
 */
export const takenOver = (trueTime: () => number) => {
  const taken = new Set<string>();
  const claimed = new Map<string, number>();
  const nameOf = ({ key, attempt = "" }: Settled & Partial<ClaimOf>): string => `${attempt} ${key}`;
  const note = (claim: ClaimOf): void => void claimed.set(nameOf(claim), trueTime());

  /** By as much as its taker's clock is ahead of its owner's it may look older than it is. */
  const isByClocks = (name: string, claimedAt: number, now: number): boolean => {
    const since = claimed.get(name);
    if (since === undefined) return false;
    const age = trueTime() - since;
    const ahead = now - trueTime() - (claimedAt - since);
    return age <= longest && ahead >= longest + margin - age;
  };

  return {
    claimed: (claims: readonly ClaimOf[]): void => claims.forEach(note),
    /** `now`: by its taker's clock. */
    note: (claim: ClaimOf, found: Pick<ClaimRecord<unknown>, "attempt" | "claimedAt">, now: number): void => {
      const name = nameOf({ key: claim.key, attempt: found.attempt });
      if (isByClocks(name, found.claimedAt, now)) taken.add(name);
      note(claim);
    },
    was: (claim: Settled): boolean => taken.has(nameOf(claim)),
  };
};
