import type { DestinationKey } from "../../destination/destination.ts";
import { compileFilter, isPattern } from "../../destination/filter.ts";
import type { BrokerItem } from "../records.ts";
import { sendHints } from "./announcing.ts";
import { type Enacted, enact } from "./enact.ts";
import type { DestinationFacts } from "./facts.ts";
import { judgeAgain } from "./judge-again.ts";
import { takeLease } from "./lease.ts";
import type { ControlPorts } from "./ports.ts";
import { tellEffective } from "./telling.ts";

export interface Judgement {
  /** False: somebody else was at it, by facts that may be older; a judgement by today's is ordered. */
  readonly isDone: boolean;
  /** What somebody should know of. */
  readonly warning?: string;
}

/**
 * Makes what should hold for one destination hold, and tells its peers. Level, not edge: whatever was lost, the next judgement repeats it.
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
  const lease = await takeLease(ports.brain, key, now);
  if (!lease) {
    await judgeAgain(ports, key, asked, 1);
    return { isDone: false };
  }
  let judged: Enacted;
  try {
    // Where all was right already, nothing was written that would stop whoever hangs.
    if (lease.isTakenOver) await judgeAgain(ports, key, asked, ports.longest / 1_000);
    judged = await enact(ports, broker, key, asked, now);
  } finally {
    await lease.release();
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
