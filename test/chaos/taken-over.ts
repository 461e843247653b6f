import type { ClaimOf, Settled } from "../../core/carry/audit.ts";

/** Claims that were taken from an attempt: one that settles its own after that was alive, and whoever took it was too early. */
export const takenOver = () => {
  const taken = new Set<string>();
  const nameOf = ({ key, attempt = "" }: Settled & Partial<ClaimOf>): string => `${attempt} ${key}`;
  return {
    note: ({ key }: ClaimOf, { attempt }: Pick<ClaimOf, "attempt">): void => void taken.add(nameOf({ key, attempt })),
    was: (claim: Settled): boolean => taken.has(nameOf(claim)),
  };
};
