import type { ControlPorts } from "../../core/broker/control/ports.ts";
import { brokerId } from "../../core/ids.ts";
import type { OutgoingEvent } from "../../core/ports.ts";
import { dispatching } from "./dispatching.ts";
import { sha256 } from "./hash.ts";
import { type MemoryBrain, memoryBrain, peerDemandOf } from "./memory/brain.ts";
import { memoryPorts } from "./memory/ports.ts";

/** Control of broker a in a pair, whose peer b has a table of its own. Everything is memory; events are only remembered. */
export const controlling = async () => {
  const { ports, events, cloud, clock, slice } = dispatching([]);
  const [brain, theirs]: [MemoryBrain, MemoryBrain] = [memoryBrain("table-a"), memoryBrain("table-b")];
  const broker = { slice, version: 1, keys: [], peerKeys: {} };
  await brain.write("broker", "", "broker", broker, 0);
  const { passes, ...memory } = memoryPorts(cloud, slice, sha256);
  const control: ControlPorts = {
    ...memory,
    passes,
    identity: ports.identity,
    events: ports.events,
    brain,
    counters: brain,
    longest: 60_000,
    clock: () => clock.now,
    table: brain,
    peers: peerDemandOf(new Map([[brokerId("b"), theirs]])),
  };
  const told = (): OutgoingEvent[] => events.splice(0);
  return { ports: control, broker, brain, theirs, told, orders: passes.orders, cloud, clock, slice };
};
