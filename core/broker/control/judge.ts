import type { DemandRecord } from "../../demand/demand.ts";
import type { DestinationKey } from "../../destination/destination.ts";
import { compileFilter, isPattern } from "../../destination/filter.ts";
import { writeJudged } from "../contended.ts";
import type { BrokerItem } from "../records.ts";
import { materialise, sendHints } from "./announcing.ts";
import { type Decision, decideDestination } from "./decide.ts";
import { type DestinationFacts, readFacts } from "./facts.ts";
import { forgetGone, goneUntil } from "./gone.ts";
import { takeLease } from "./lease.ts";
import { orderPass } from "./passes.ts";
import type { ControlPorts } from "./ports.ts";
import { makePrivateQueues } from "./private-queues.ts";
import { noteLeft } from "./removal.ts";
import { carryOutSubscriptions, type Unsubscribed } from "./subscribing.ts";
import { nextLook } from "./subscriptions.ts";
import { tellEffective } from "./telling.ts";
import { writeView } from "./views.ts";

export interface Judgement {
  /** False: somebody else was at it, by facts that may be older; a judgement by today's is ordered. */
  readonly isDone: boolean;
  /** What somebody should know of. */
  readonly warning?: string;
}

/**
 * Makes what should hold for one destination hold: its resources, the view, its subscriptions, what peers read; in this order, so that
 * nobody is told of what isn't there, and every dispatch knows of a subscription before it is effective. Level, not edge: whatever was lost,
 * the next judgement repeats it.
 * Crash window: between any two steps the event comes again and finishes; each write is conditional on what it was judged by.
 * `asked`: somebody sent to it.
 */
export const judgeDestination = async (
  ports: ControlPorts,
  broker: BrokerItem,
  key: DestinationKey,
  asked: boolean,
  now: number,
): Promise<Judgement> => {
  const release = await takeLease(ports.brain, key, now);
  if (!release) {
    await judgeAgain(ports, key, asked, 1);
    return { isDone: false };
  }
  let judged: Judged;
  try {
    judged = await carryOut(ports, broker, key, asked, now);
  } finally {
    await release();
  }
  // Peers are called without the lease: they may be slow.
  if (judged.unannounced) await sendHints(ports, judged.unannounced);
  const { here, isDone } = await judgeMeant(ports, broker, judged.facts, now);
  if (!isDone) {
    await judgeAgain(ports, key, asked, 1);
    return { isDone };
  }
  const [failed] = judged.failed;
  // Until all is there the event comes again: that is judged as long as nobody is noted as told, and orders no looks beside itself.
  if (failed) {
    await tellEffective(ports, judged.facts, here, false, now);
    throw failed;
  }
  const lookAt = (due: number): Promise<void> => judgeAgain(ports, key, false, Math.ceil((due - now) / 1_000));
  // Ordered before peers are told: what they were told of isn't judged again when its event comes again.
  if (judged.due !== undefined) await lookAt(judged.due);
  const untold = await tellEffective(ports, judged.facts, here, true, now);
  if (untold !== undefined && untold !== judged.due) await lookAt(untold);
  return { isDone: true, ...(judged.unfiltered > 0 && { warning: tooManyFilters(key, judged.unfiltered) }) };
};

const tooManyFilters = (topic: DestinationKey, unfiltered: number): string =>
  `${topic} has 200 filter policies, as many as SNS takes of a topic: ${unfiltered} more subscriptions with selectors do without, which costs deliveries that nobody wants`;

interface Judged {
  readonly facts: DestinationFacts;
  /** Demand that the peers don't know of yet. */
  readonly unannounced: DemandRecord | undefined;
  /** When a grace or a damping that is running will be over. */
  readonly due: number | undefined;
  readonly unfiltered: number;
  /** Why queues couldn't be made or links subscribed. */
  readonly failed: readonly Error[];
}

const carryOut = async (ports: ControlPorts, broker: BrokerItem, key: DestinationKey, asked: boolean, now: number): Promise<Judged> => {
  const facts = await readFacts(ports.brain, ports.identity.hash, broker, key, now);
  if (facts.record?.goneAt !== undefined && (await forgetGone(ports.brain, key, now))) return carryOut(ports, broker, key, asked, now);
  const decision = decideDestination(facts, asked, now);
  await makeResources(ports, facts, decision, now);
  const { unmade, failed: unmadeFor } = await makePrivateQueues(ports.resources, facts, decision);
  const routed = decision.view?.candidates.filter((one) => one.to !== "private" || !unmade.includes(one.queue)) ?? [];
  const view = decision.view && { ...decision.view, candidates: routed };
  const readyAt = readySince(facts, decision);
  await writeView(ports.brain, key, facts.view, view && { ...view, readyAt }, now);
  const unsubscribed = await carryOutSubscriptions(ports, facts, decision.subscribers, now);
  const failed = [...unmadeFor, ...unsubscribed.map(({ error }) => error)];
  if (view && readyAt === notYet && !waitsForLinks(facts, unsubscribed, now)) {
    const written = await ports.brain.read("view", "", key);
    await writeView(ports.brain, key, written, { ...view, readyAt: now + facts.slice.subscriptionGrace * 1_000 }, now);
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

interface Meant {
  readonly here: readonly DestinationKey[];
  /** False: somebody else was at one of them. */
  readonly isDone: boolean;
}

/**
 * A pattern means something for each destination that is here: each is judged, and named in the answer. One that fails stops no other, but
 * the pattern isn't done.
 */
const judgeMeant = async (ports: ControlPorts, broker: BrokerItem, { key, destination }: DestinationFacts, now: number): Promise<Meant> => {
  if (!isPattern(destination)) return { here: [key], isDone: true };
  const matches = compileFilter(destination);
  const here = (await ports.brain.list("destination", "")).filter(({ value }) => matches(value.destination)).map(({ id }) => id);
  const failed: unknown[] = [];
  const done: boolean[] = [];
  for (const each of here) {
    const judging = judgeDestination(ports, broker, each, false, now).then(({ isDone }) => done.push(isDone));
    await judging.catch((error: unknown) => failed.push(error));
  }
  if (failed.length > 0) throw failed[0];
  return { here, isDone: !done.includes(false) };
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

const judgeAgain = async (
  { events, identity }: ControlPorts,
  destination: DestinationKey,
  asked: boolean,
  seconds: number,
): Promise<void> => {
  const event = asked ? ({ event: "create", destination } as const) : ({ event: "judge", destination } as const);
  await events.send([{ to: identity.self, event, delaySeconds: Math.min(Math.max(seconds, 1), 900) }]);
};

const earliest = (moments: readonly (number | undefined)[]): number | undefined => {
  const known = moments.filter((moment) => moment !== undefined);
  return known.length > 0 ? Math.min(...known) : undefined;
};
