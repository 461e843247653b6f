import type { NetworkConnector } from "../config/slice.ts";
import type { BrokerId, LinkId } from "../ids.ts";
import type { Removal } from "./removal.ts";

/** `waiting for peer`: no probe was answered yet, or not for a lease. `configuration differs`: it carries, but the two shared parts aren't the same. */
export type LinkState = "waiting for peer" | "started" | "configuration differs";

/** A connector of ours in life, as its owner's control keeps it. */
export interface LinkRecord {
  readonly link: LinkId;
  readonly state: LinkState;
  /** Our clock when the last probe left, and the counter of the last one that was answered; 0: never. */
  readonly probedAt: number;
  readonly answeredAt: number;
  /** Milliseconds from a probe to its answer, the last one. */
  readonly lag: number;
  /** Our clock when it, or an earlier link to the same peer, first ran: the peer was there, and nobody had stopped it. */
  readonly ranSince?: number;
  /** The peer of one that has run. */
  readonly to?: BrokerId;
  /** Clock of the failure that opened its breaker; a probe that left later and crossed takes it away. */
  readonly openedAt?: number;
  /** Since when it has been failing, but for breakers that closed for less than a minute, and when one last closed (our clock). */
  readonly failingSince?: number;
  readonly closedAgainAt?: number;
  /** The last command of an operator, by its counter; it outlives deployments. Absent: `autoStart` decides. */
  readonly commanded?: { readonly run: Run; readonly counter: number };
  /** Our clock when the peer said that it is being destroyed; an answer to a later probe takes it away. */
  readonly closedAt?: number;
  /** Of a connector that is being removed. */
  readonly removal?: Removal;
}

export type Run = "start" | "stop";

export const newLink = (link: LinkId): LinkRecord => ({ link, state: "waiting for peer", probedAt: 0, answeredAt: 0, lag: 0 });

/**
 * A stopped link is no candidate, static includes or not, but where durable demand is behind it: what that wants waits for its start. It goes on
 * probing, so that a start takes effect at once.
 */
export const isStopped = (
  link: LinkRecord | undefined,
  { autoStart, removed = false }: Pick<NetworkConnector, "autoStart" | "removed">,
): boolean => removed || (link?.commanded?.run ?? (autoStart === false ? "stop" : "start")) === "stop";

/** What waits for it stays where it is until it is started, unless it shall be taken away. */
export const isHeld = (link: LinkRecord | undefined, connector: Pick<NetworkConnector, "autoStart" | "removed">): boolean =>
  !connector.removed && isStopped(link, connector);

/** Does it run for the first time? */
export const runsFirst = (link: LinkRecord, connector: Pick<NetworkConnector, "autoStart" | "removed">): boolean =>
  link.ranSince === undefined && link.state !== "waiting for peer" && !isStopped(link, connector);

/** One that runs for the first time: whatever its name, it knows of its peer what others of our links (`known`) to it have known. */
export const withFirstRun = (link: LinkRecord, to: BrokerId, known: readonly LinkRecord[], now: number): LinkRecord => {
  const others = known.flatMap((other) => (other.to === to && other.ranSince !== undefined ? [other.ranSince] : []));
  return { ...link, to, ranSince: Math.min(now, ...others) };
};

/**
 * A connector that left the configuration leaves nothing to one that will have its name, no state, no command; but to the next one that leads
 * to its peer, whatever it is called, since when that peer's durable subscriptions have been known.
 */
export const leftOfRun = ({ link, to, ranSince }: LinkRecord): LinkRecord | undefined =>
  to === undefined || ranSince === undefined ? undefined : { ...newLink(link), to, ranSince };

/** A peer silent for its lease (seconds) is no candidate, except for static and durable demand. One that closed is none at all. */
export const isAway = (link: LinkRecord | undefined, peerLease: number, now: number): boolean =>
  link === undefined || isClosed(link) || link.answeredAt === 0 || now - link.answeredAt >= peerLease * 1_000;

export const isClosed = (link: LinkRecord | undefined): boolean => link?.closedAt !== undefined;
