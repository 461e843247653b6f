import type { NetworkConnector } from "../config/slice.ts";
import type { BrokerId, LinkId } from "../ids.ts";
import type { Message } from "../message/message.ts";
import { judgeDelivery, published } from "./delivery.ts";
import { type ForwardVerdict, judgeForward } from "./forward.ts";
import { laneOver } from "./lane.ts";
import type { Plan } from "./plan.ts";
import { levelsOf, type Ranking } from "./ranking.ts";
import { noReplay, type Replay } from "./replay.ts";
import { type Candidate, type DestinationView, isFedAlone } from "./view.ts";
import { wants } from "./wants.ts";

/** What routing found for one message on one destination: a plan, or the candidates that share it. */
export type Route =
  | { readonly route: "plan"; readonly plan: Plan }
  | { readonly route: "share"; readonly candidates: readonly Candidate[] };

/** Whether the candidates of one priority can take one more message. */
export type HasRoom = (level: readonly Candidate[]) => boolean;

/** What a queue message's route depends on besides its view. */
export interface Surroundings {
  readonly connectors: readonly NetworkConnector[];
  readonly hasRoom: HasRoom;
  /** @default - by priority, equals share */
  readonly ranking?: Ranking;
  /** @default - nothing goes back */
  readonly replay?: Replay;
  /** Links that take no more of this destination for now, and until when (spec REP-4). @default - none */
  readonly spent?: Spent;
  /** Links that are passed over where somebody else takes the message. @default - none */
  readonly full?: ReadonlySet<LinkId>;
}
/** Until when (clock) links take no more of a destination. */
export type Spent = ReadonlyMap<LinkId, number>;

/**
 * Who may get this message: of the view's candidates those that the loop, hop and permission tests leave, of these the highest priority
 * with room (spec QUE-4), the highest of all where none has any. Nobody: it rests. The share among several is taken for a whole batch.
 */
export const routeQueue = (message: Message, view: DestinationView, surroundings: Surroundings): Route => {
  const { connectors, hasRoom, ranking, full } = surroundings;
  const { destination } = view;
  const judged = view.candidates.map((candidate) => ({ candidate, verdict: judgeFor(candidate, message, surroundings) }));
  const may = withoutFull(
    judged.flatMap(({ candidate, verdict }) => (verdict.verdict === "forward" ? [candidate] : [])),
    full,
  );
  const levels = levelsOf(may, ranking);
  const candidates = leastVisited(levels.find(hasRoom) ?? levels[0] ?? [], message, connectors);
  const [only, ...others] = candidates;
  if (!only) {
    return { route: "plan", plan: { plan: "rest", destination, ...whyItRests(judged.map(({ verdict }) => verdict)) } };
  }
  return others.length > 0 ? { route: "share", candidates } : { route: "plan", plan: planFor(only, view) };
};

/** The first that may take it later; else what keeps it from somebody who wants it. */
const whyItRests = (verdicts: readonly ForwardVerdict[]): Pick<Extract<Plan, { plan: "rest" }>, "reason" | "until"> => {
  const [first] = verdicts.flatMap((one) => (one.verdict === "wait" ? [one] : [])).toSorted((a, b) => a.until - b.until);
  if (first) return { reason: first.why, until: first.until };
  const kept = verdicts.flatMap((one) => (one.verdict === "suppress" && one.why !== "not-permitted" ? [one.why] : []));
  return { reason: kept[0] ?? "no-consumer" };
};

const withoutFull = (candidates: readonly Candidate[], full?: ReadonlySet<LinkId>): readonly Candidate[] => {
  const others = candidates.filter((candidate) => candidate.to !== "link" || !full?.has(candidate.link));
  return others.length > 0 ? others : candidates;
};

/**
 * Those whose broker the message hasn't seen, or has seen longest ago. Else what is replayed may go to and fro between two brokers while a third
 * one waits for it: for ever on a FIFO queue, where a group keeps its way.
 */
const leastVisited = (
  candidates: readonly Candidate[],
  { brokerPath }: Pick<Message, "brokerPath">,
  connectors: readonly NetworkConnector[],
): readonly Candidate[] => {
  const brokerOf = (candidate: Candidate) => connectors.find(({ link }) => candidate.to === "link" && link === candidate.link)?.to;
  const byVisit = Map.groupBy(candidates, (candidate) => brokerPath.lastIndexOf(brokerOf(candidate) ?? ("" as BrokerId)));
  return byVisit.get(Math.min(...byVisit.keys())) ?? [];
};

/** Links whose breaker is open are no candidates: what only they would take rests until it closes. */
export const routeAround = (breakers: readonly LinkId[], message: Message, view: DestinationView, surroundings: Surroundings): Route => {
  const isOpen = (candidate: Candidate): boolean => candidate.to === "link" && breakers.includes(candidate.link);
  const candidates = view.candidates.filter((candidate) => !isOpen(candidate));
  const route = routeQueue(message, { ...view, candidates }, surroundings);
  const rests = route.route === "plan" && route.plan.plan === "rest" && route.plan.until === undefined;
  const behind = view.candidates.flatMap((candidate) => (candidate.to === "link" && isOpen(candidate) ? [candidate.link] : []));
  if (!rests || behind.length === 0) return route;
  return { route: "plan", plan: { plan: "rest", destination: view.destination, reason: "breaker-open", behind } };
};

/**
 * A topic message is for whoever subscribes here, onward links included; without any it crossed in vain (or nobody listens).
 * `breakers`: of a message that came over a link, our own links whose breaker is open; one that a producer sent is published.
 */
export const routeTopic = (
  message: Message,
  view: DestinationView,
  connectors: readonly NetworkConnector[],
  now: number,
  breakers?: readonly LinkId[],
): Plan => {
  const { destination, localSubscribers } = view;
  if (now < view.readyAt) return { plan: "later", reason: "not-ready", destination };
  const may = view.candidates.filter((candidate) => wants(candidate, message) && mayGet(candidate, message, connectors));
  const onward = [...new Set(may.flatMap((candidate) => (candidate.to === "link" && !isFedAlone(candidate) ? [candidate.link] : [])))];
  const nobody = { plan: "drop", reason: message.brokerPath.length > 0 ? "crossed-in-vain" : "no-subscriber" } as const;
  if (!localSubscribers && may.length === 0) return nobody;
  // What only the feed takes on must be published.
  const isHeld = may.some((candidate) => candidate.to === "link" && isFedAlone(candidate));
  const delivery = breakers && !isHeld ? judgeDelivery(message, view, onward, breakers) : published(view);
  if (delivery.deliver === "publish") return { plan: "hand-over", target: { to: "topic", destination }, destination, reason: delivery.why };
  const { targets } = delivery;
  return targets.length > 0 ? { plan: "fan-out", targets, destination, reason: "known-subscribers" } : nobody;
};

export const mayGet = (candidate: Candidate, message: Message, connectors: readonly NetworkConnector[]): boolean =>
  judgeFor(candidate, message, { connectors }).verdict === "forward";

const judgeFor = (
  candidate: Candidate,
  message: Message,
  { connectors, replay = noReplay, spent }: Pick<Surroundings, "connectors" | "replay" | "spent">,
): ForwardVerdict => {
  if (candidate.to !== "link") return { verdict: "forward" };
  const connector = connectors.find(({ link }) => link === candidate.link);
  if (!connector) return { verdict: "suppress", why: "not-permitted" };
  // Back there nobody would take it: it would go to and fro.
  const verdict = judgeForward(message, connector, connectors, candidate.isStatic ? noReplay : replay);
  const until = spent?.get(candidate.link);
  return verdict.verdict === "forward" && until !== undefined ? { verdict: "wait", why: "rate-limit", until } : verdict;
};

export const planFor = (candidate: Candidate, { destination }: Pick<DestinationView, "destination">): Plan => {
  switch (candidate.to) {
    case "consumers":
      return { plan: "hand-over", target: { to: "queue", destination }, destination, reason: "local-consumers" };
    case "private":
      return { plan: "hand-over", target: { to: "private", queue: candidate.queue }, destination, reason: "private-queue" };
    case "link":
      return { plan: "hand-over", target: { to: "link", ...laneOver(candidate.link, destination) }, destination, reason: "network-demand" };
    default:
      return candidate satisfies never;
  }
};
