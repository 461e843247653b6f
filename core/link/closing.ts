import type { LinkId } from "../ids.ts";
import type { Hello } from "../message/hello.ts";
import { type LinkRecord, newLink } from "./link.ts";

/** Does a peer's word that it closes (its clock) still hold? Not once a later hello of it was heard: it is back. */
export const isStillClosing = (counter: number, heard: readonly Hello[]): boolean => heard.every((hello) => hello.counter <= counter);

/** The link waits for its peer as before the first probe, and what it includes statically waits too. */
export const closedLink = (stored: LinkRecord | undefined, link: LinkId, now: number): LinkRecord => ({
  closedAt: now,
  ...(stored ?? newLink(link)),
  state: "waiting for peer",
});

/** Longer than a closing peer counts what is left to it. */
const countingTime = 600_000;

/** Then a probe would be counted as well, and nobody would answer it. */
export const isCounting = (link: LinkRecord | undefined, now: number): boolean =>
  link?.closedAt !== undefined && now - link.closedAt < countingTime;
