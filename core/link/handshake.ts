import type { NetworkConnector } from "../config/slice.ts";
import type { BrokerId, LinkId } from "../ids.ts";
import type { Hello } from "../message/hello.ts";
import { isAway, type LinkRecord, newLink } from "./link.ts";

/** The probe is due at each tick, whatever the state: it is handshake, key exchange, clock and lag in one. */
export const decideProbe = (
  stored: LinkRecord | undefined,
  link: LinkId,
  peerLease: number,
  now: number,
): { readonly record: LinkRecord; readonly fellSilent: boolean } => {
  const before = stored ?? newLink(link);
  const away = isAway(before, peerLease, now);
  return {
    fellSilent: away && before.state !== "waiting for peer",
    record: { ...before, probedAt: now, state: away ? "waiting for peer" : before.state },
  };
};

/** At most one probe in five seconds, so that two brokers that can't hear each other's answers don't probe without end. */
const probePause = 5_000;

/** Is it worth probing before the next tick, now that the peer was heard? */
export const isWorthProbing = ({ state, probedAt }: LinkRecord, now: number): boolean =>
  state === "waiting for peer" && now - probedAt >= probePause;

export interface ProbeAnswer {
  /** The probe's counter, our own clock when it left. */
  readonly counter: number;
  /** Digest of the peer's shared configuration. */
  readonly digest: string;
}

/**
 * A probe came back. An older answer than the last one says nothing new, nor does one to a probe from before the peer closed. `cameUp`: the
 * peer was taken for away until now, noticed by a probe or not: some may have judged so.
 */
export const decideAnswer = (
  stored: LinkRecord | undefined,
  link: LinkId,
  answer: ProbeAnswer,
  own: { readonly digest: string; readonly peerLease: number },
  now: number,
): { readonly record: LinkRecord; readonly cameUp: boolean } => {
  const { closedAt = Number.NEGATIVE_INFINITY, ...before } = stored ?? newLink(link);
  if (stored && (answer.counter < before.answeredAt || answer.counter <= closedAt)) return { record: stored, cameUp: false };
  const state = answer.digest === own.digest ? "started" : "configuration differs";
  return {
    cameUp: before.state === "waiting for peer" || isAway(stored, own.peerLease, now),
    record: { ...before, state, answeredAt: answer.counter, lag: Math.max(0, now - answer.counter) },
  };
};

export type HelloVerdict = { readonly verdict: "accept" } | { readonly verdict: "ignore"; readonly why: "unknown-connector" | "older" };

/** A hello only names a configured connector that points here; whatever else it says is taken from our own configuration. */
export const judgeHello = (
  hello: Hello,
  self: BrokerId,
  connectors: readonly NetworkConnector[],
  stored: Hello | undefined,
): HelloVerdict => {
  const known = connectors.some(({ link, from, to }) => link === hello.link && from === hello.from && to === self);
  if (!known) return { verdict: "ignore", why: "unknown-connector" };
  return stored && hello.counter < stored.counter ? { verdict: "ignore", why: "older" } : { verdict: "accept" };
};
