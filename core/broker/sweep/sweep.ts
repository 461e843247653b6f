import type { BrokerSlice } from "../../config/slice.ts";
import type { Addresses } from "../../destination/addresses.ts";
import type { Brain, MadeThing, MadeThings, Protection, SigningKey } from "../../ports.ts";
import { type ClosingPorts, close, reopen } from "./closing.ts";
import { type CountPorts, countEach, countLeft, type Left } from "./left.ts";
import { type RunningLink, runningLinks } from "./running-links.ts";
import { goneQueues, stackQueues } from "./stack-queues.ts";

export interface SweepPorts extends ClosingPorts, CountPorts {
  readonly made: MadeThings;
  readonly protection: Protection;
  readonly key: SigningKey;
}

/**
 * The end of a broker, before CloudFormation deletes the stack: answers what is left, and then the broker works on; if nothing is, or its
 * policy is `destroy`, everything that no stack owns is gone. Crash window: until something was removed a failure reopens the broker;
 * afterwards it stays closed, and the repeated request removes the rest.
 */
export const sweep = async (ports: SweepPorts, slice: BrokerSlice, own: Addresses): Promise<readonly Left[]> => {
  await close(ports, slice);
  const { made, left } = await lookAround(ports, slice, own).catch(async (cause: unknown) => {
    await reopen(ports, slice);
    throw cause;
  });
  if (left.length > 0) {
    await reopen(ports, slice);
    return left;
  }
  for (const thing of made) await ports.made.remove(thing);
  await ports.protection.lift();
  await ports.key.remove();
  return [];
};

interface Found {
  readonly made: readonly MadeThing[];
  readonly left: readonly Left[];
}

/** Peers, control and the lists of AWS have had their time when it looks. */
const lookAround = async (ports: SweepPorts, slice: BrokerSlice, own: Addresses): Promise<Found> => {
  await ports.sleep(ports.depthLag);
  const made = await ports.made.list();
  if (slice.removalPolicy === "destroy") return { made, left: [] };
  const { fed, resting } = stackQueues(slice, own);
  const madeQueues = made.filter(({ service }) => service === "sqs").map(({ name }) => name);
  return { made, left: await countLeft(ports, { fed, resting: [...resting, ...madeQueues] }) };
};

/** What stands in the way of a deployment. */
export interface Undrained {
  readonly running: readonly RunningLink[];
  readonly left: readonly Left[];
}

/**
 * What a deployment would delete that isn't drained: links that run, and messages in queues that `after` no longer has. `before` is
 * what was deployed last: the rollback of a refused deployment brings that back, and passes.
 */
export const undrainedBy = async (
  ports: CountPorts & { readonly brain: Brain },
  before: BrokerSlice,
  after: BrokerSlice,
  own: Addresses,
): Promise<Undrained> => {
  if (after.removalPolicy === "destroy") return { running: [], left: [] };
  const running = await runningLinks(ports.brain, before, after);
  const gone = goneQueues(before, after, own);
  if (running.length > 0) return { running, left: await countEach(ports, [...gone.fed, ...gone.resting]) };
  if (gone.fed.length + gone.resting.length === 0) return { running, left: [] };
  await ports.sleep(ports.depthLag);
  return { running, left: await countLeft(ports, gone) };
};
