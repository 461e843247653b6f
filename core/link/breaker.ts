import type { LinkId } from "../ids.ts";
import type { LinkRecord } from "./link.ts";

/** Milliseconds between two probes of an open breaker: as long as it is open, five seconds at least, a minute at most. */
export const probeDelay = (openedAt: number, now: number): number => Math.min(Math.max(now - openedAt, 5_000), 60_000);

/**
 * A hand-over to the link failed: it gets nothing until a probe that left later has crossed. A failure from before the last crossing
 * probe left says nothing new. Answers the record, or nothing where it stays as it is.
 */
export const openBreaker = (link: LinkRecord, failedAt: number): LinkRecord | undefined =>
  link.openedAt !== undefined || failedAt < link.answeredAt ? undefined : { ...link, openedAt: failedAt };

/** The probe that crossed left when the breaker was open already. */
export const closesBreaker = ({ openedAt }: LinkRecord, answered: number): boolean => openedAt !== undefined && answered > openedAt;

export const closeBreaker = ({ openedAt: _, ...link }: LinkRecord): LinkRecord => link;

export const withBreaker = (open: readonly LinkId[], link: LinkId, isOpen: boolean): readonly LinkId[] =>
  isOpen ? [...new Set([...open, link])] : open.filter((one) => one !== link);
