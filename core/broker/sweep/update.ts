import type { BrokerSlice } from "../../config/slice.ts";
import type { Addresses } from "../../destination/addresses.ts";
import type { Brain, Events, SigningKey } from "../../ports.ts";
import { keepConfiguration } from "../control/configuration.ts";
import { viewLife } from "../control/views.ts";
import { type CountPorts, countEach } from "./left.ts";
import { refusedUpdate } from "./refusal.ts";
import { undrainedBy } from "./sweep.ts";

export interface UpdatePorts extends CountPorts {
  readonly brain: Brain;
  readonly events: Events;
  readonly key: SigningKey;
  readonly clock: () => number;
  /** Milliseconds that an invocation of dispatch may run. */
  readonly longest: number;
}

/**
 * Deploys a slice, unless something would be deleted that isn't drained; answers why it may not. Dispatch goes on by the old configuration
 * until the new one is written: what it has put into a queue meanwhile is looked for once more, and nothing is put there afterwards.
 * Crash window: a refusal after the configuration was written is made good by the roll-back, which brings the old one.
 */
export const update = async (ports: UpdatePorts, slice: BrokerSlice, own: Addresses): Promise<string | undefined> => {
  const before = (await ports.brain.read("broker", "", "broker"))?.value.slice;
  const refusal = before && refusedUpdate(slice.broker, await undrainedBy(ports, before, slice, own));
  if (refusal !== undefined) return refusal;
  await keepConfiguration(ports, slice, await ports.key.ensure(), ports.clock());
  const gone = before?.queues.filter((name) => !slice.queues.includes(name)).map(own.queue) ?? [];
  if (slice.removalPolicy === "destroy" || gone.length === 0) return undefined;
  await ports.sleep(ports.longest + viewLife + ports.depthLag);
  return refusedUpdate(slice.broker, { running: [], left: await countEach(ports, gone) });
};
