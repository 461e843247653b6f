import type { LinkId } from "../ids.ts";
import type { LinkRecord } from "./link.ts";

/** Milliseconds between two probes of an open breaker: as long as the link has been failing, five seconds at least, a minute at most. */
export const probeDelay = ({ failingSince = 0 }: Pick<LinkRecord, "failingSince">, now: number): number =>
  Math.min(Math.max(now - failingSince, 5_000), 60_000);

/** A link that fails so soon after a probe crossed hasn't recovered: it carries probes, and refuses messages. */
const relapse = 60_000;

/**
 * A hand-over to the link failed: it gets nothing until a probe that left later has crossed. A failure from before the last crossing
 * probe left says nothing new. Answers the record, or nothing where it stays as it is.
 */
export const openBreaker = (link: LinkRecord, failedAt: number): LinkRecord | undefined => {
  if (link.openedAt !== undefined || failedAt < link.answeredAt) return undefined;
  const { failingSince = failedAt, closedAgainAt = Number.NEGATIVE_INFINITY } = link;
  return { ...link, openedAt: failedAt, failingSince: failedAt - closedAgainAt < relapse ? failingSince : failedAt };
};

/**
 * The probe that crossed left when the breaker was open already. One that is open only as dispatch knows it (`isNoted`) was noted so by who was
 * slower than a probe that crossed meanwhile: any probe closes it.
 */
export const closesBreaker = ({ openedAt }: LinkRecord, answered: number, isNoted: boolean): boolean =>
  openedAt === undefined ? isNoted : answered > openedAt;

export const closeBreaker = ({ openedAt: _, ...link }: LinkRecord, now: number): LinkRecord => ({ ...link, closedAgainAt: now });

export const withBreaker = (open: readonly LinkId[], link: LinkId, isOpen: boolean): readonly LinkId[] =>
  isOpen ? [...new Set([...open, link])] : open.filter((one) => one !== link);
