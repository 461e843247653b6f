import type { DemandRecord } from "../../demand/demand.ts";
import type { DestinationKey } from "../../destination/destination.ts";
import { writeJudged } from "../contended.ts";
import type { BrokerItem } from "../records.ts";
import { materialise } from "./announcing.ts";
import { type Decision, decideDestination } from "./decide.ts";
import { type DestinationFacts, readFacts } from "./facts.ts";
import { forgetGone, goneUntil } from "./gone.ts";
import { orderPass } from "./passes.ts";
import type { ControlPorts } from "./ports.ts";
import { makePrivateQueues } from "./private-queues.ts";
import { noteLeft } from "./removal.ts";
import { carryOutSubscriptions, type Unsubscribed } from "./subscribing.ts";
import { nextLook } from "./subscriptions.ts";
import { writeView } from "./views.ts";

/** What a judgement leads to beside. */
export interface Enacted {
  readonly facts: DestinationFacts;
  /** Demand that the peers don't know of yet. */
  readonly unannounced: DemandRecord | undefined;
  /** When a grace or a damping that is running will be over. */
  readonly due: number | undefined;
  readonly unfiltered: number;
  /** Why queues couldn't be made or links subscribed. */
  readonly failed: readonly Error[];
}

/**
 * Reads the facts of a destination, decides what should hold, and makes it hold: its resources, the view, its subscriptions, what peers read;
 * in this order, so that nobody is told of what isn't there, and every dispatch knows of a subscription before it is effective.
 */
export const enact = async (
  ports: ControlPorts,
  broker: BrokerItem,
  key: DestinationKey,
  asked: boolean,
  now: number,
): Promise<Enacted> => {
  const facts = await readFacts(ports.brain, ports.identity.hash, broker, key, now);
  if (facts.record?.goneAt !== undefined && (await forgetGone(ports.brain, key, now))) return enact(ports, broker, key, asked, now);
  const decision = decideDestination(facts, asked, now);
  const since = (): number => Math.max(now, ports.clock());
  await makeResources(ports, facts, decision, now);
  const { unmade, failed: unmadeFor } = await makePrivateQueues(ports.resources, facts, decision);
  const routed = decision.view?.candidates.filter((one) => one.to !== "private" || !unmade.includes(one.queue)) ?? [];
  const view = decision.view && { ...decision.view, candidates: routed };
  const readyAt = readySince(facts, decision);
  const standing = await writeView(ports.brain, key, facts.view, view && { ...view, readyAt }, since());
  const unsubscribed = await carryOutSubscriptions(ports, facts, decision.subscribers, now);
  const failed = [...unmadeFor, ...unsubscribed.map(({ error }) => error)];
  if (view && readyAt === notYet && !waitsForLinks(facts, unsubscribed, now)) {
    const ready = { ...view, readyAt: since() + facts.slice.subscriptionGrace * 1_000 };
    await writeView(ports.brain, key, standing, ready, since());
  }
  const unannounced = await materialise(ports, key, facts.demand, decision.publish, now);
  const { destination } = facts;
  if (decision.view && destination.kind === "queue") await orderPass(ports, { to: "queue", destination }, now);
  const subscriptions = await ports.brain.list("subscription", key);
  if (destination.kind === "topic" && facts.record?.removal) await noteLeft(ports.brain, key, subscriptions.length);
  return {
    facts,
    unannounced,
    due: earliest([nextLook(subscriptions, now), goneUntil(facts.record)]),
    unfiltered: decision.unfiltered,
    failed,
  };
};

/** Makes what is missing. */
const makeResources = async (
  { resources, brain }: ControlPorts,
  { key, destination, record }: DestinationFacts,
  { make }: Decision,
  now: number,
): Promise<void> => {
  if (!make) return;
  await resources.make({ make: "destination", destination });
  if (!record) await writeJudged(brain, "destination", "", key, { destination, owner: "auto", madeAt: now }, 0);
};

const notYet = Number.MAX_SAFE_INTEGER;

/** What is published before a link is subscribed would miss it; one that never ran may have no peer yet. */
const waitsForLinks = ({ links, record }: DestinationFacts, unsubscribed: readonly Unsubscribed[], now: number): boolean =>
  now < (record?.madeAt ?? now) + longestWait &&
  links.some(({ connector, ranSince }) => ranSince !== undefined && unsubscribed.some(({ link }) => link === connector.link));
const longestWait = 600_000;

/** A new topic is ready when its first subscriptions are effective, whenever these can be made: until then arrivals wait. */
const readySince = ({ destination, record, view }: DestinationFacts, { make }: Decision): number => {
  const isMadeHere = make || record?.owner === "auto";
  return isMadeHere && destination.kind === "topic" ? (view?.value.readyAt ?? notYet) : 0;
};

const earliest = (moments: readonly (number | undefined)[]): number | undefined => {
  const known = moments.filter((moment) => moment !== undefined);
  return known.length > 0 ? Math.min(...known) : undefined;
};
