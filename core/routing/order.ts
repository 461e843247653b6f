import type { LinkId } from "../ids.ts";
import { sharedGroupOf } from "../message/group.ts";
import type { Hash, Message } from "../message/message.ts";
import type { Plan } from "./plan.ts";
import { planFor, type Route, routeQueue, type Surroundings } from "./route.ts";
import { shareCycle } from "./shares.ts";
import type { Candidate, DestinationView } from "./view.ts";

/** What earlier messages of a FIFO destination wait for: a later one mustn't overtake them. */
export interface Waiting {
  /** Some rest in its queue. */
  readonly inQueue: boolean;
  /** For links: their breaker is open, or their shelter holds some. */
  readonly forLinks: ReadonlyMap<LinkId, "breaker-open" | "behind-parked">;
}

/**
 * Where a FIFO queue's message goes. A group has one way as long as the candidates are the same (no counter, no look at how full a consumer
 * is), and what can't go it now rests, even if others could take it. `inQueue` doesn't hold back what the queue itself gives.
 */
export const planInOrder = (
  message: Message,
  view: DestinationView,
  { replay, spent, ...surroundings }: Omit<Surroundings, "hasRoom">,
  { inQueue, forLinks }: Waiting,
  hash: Hash,
): Plan => {
  const { destination } = view;
  const around = { ...surroundings, hasRoom: () => true };
  const onward = routeQueue(message, view, around);
  // What goes back meets, and is overtaken by, what comes after it: only where no way leads on.
  const route = isRest(onward) && replay ? routeQueue(message, view, { ...around, replay }) : onward;
  const plan = route.route === "plan" ? route.plan : planFor(ofGroup(route.candidates, message, hash), view);
  if (plan.plan !== "hand-over" || plan.target.to === "queue") return plan;
  const held = plan.target.to === "link" ? forLinks.get(plan.target.link) : undefined;
  if (held && plan.target.to === "link") return { plan: "rest", destination, reason: held, behind: [plan.target.link] };
  if (inQueue) return { plan: "rest", destination, reason: "behind-resting" };
  const until = plan.target.to === "link" ? spent?.get(plan.target.link) : undefined;
  return until === undefined ? plan : { plan: "rest", destination, reason: "rate-limit", until };
};

const isRest = (route: Route): boolean => route.route === "plan" && route.plan.plan === "rest";

const ofGroup = (candidates: readonly Candidate[], message: Message, hash: Hash): Candidate => {
  const cycle = shareCycle(candidates);
  const turn = Number.parseInt(hash(sharedGroupOf(message, hash)).slice(0, 8), 16);
  return cycle[turn % cycle.length] as Candidate;
};
