/** What the owner of a link still has of it: messages that wait for it alone, and SNS subscriptions that lead to it. */
export interface LeftOfLink {
  readonly undelivered: number;
  readonly subscriptions: number;
}

/** How far a connector with `removed: true` has come at its owner. */
export type Removal =
  /** Nothing new goes to its link; what is under way arrives. `quietSince`: nothing was left at any look since (our clock). */
  | { readonly state: "draining"; readonly left: LeftOfLink; readonly quietSince?: number }
  /** Nothing is under way any more, since this moment (our clock): its receiver is told. */
  | { readonly state: "stopped"; readonly since: number };

/**
 * A link is stopped when nothing was left of it for `quietTime` (ms): as long as a copy may be on its way to it that was planned before.
 * What turns up later makes it drain again.
 */
export const decideRemoval = (stored: Removal | undefined, left: LeftOfLink, quietTime: number, now: number): Removal => {
  if (left.undelivered + left.subscriptions > 0) return { state: "draining", left };
  if (stored?.state === "stopped") return stored;
  const quietSince = stored?.quietSince ?? now;
  return now - quietSince >= quietTime ? { state: "stopped", since: now } : { state: "draining", left, quietSince };
};
