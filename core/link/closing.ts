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
