import { sha256, verifierOf } from "../../aws/keys.ts";
import type { ArrivalDoor } from "../../core/broker/dispatch/door.ts";
import type { BrokerItem } from "../../core/broker/records.ts";
import { unaudited } from "../../core/carry/unaudited.ts";
import { destinationKey, destinationOf } from "../../core/destination/destination.ts";
import type { Signer } from "../../core/message/message.ts";
import type { Candidate } from "../../core/routing/view.ts";
import type { DispatchPorts } from "../../functions/dispatch.ts";

export interface Stubbed {
  readonly door: ArrivalDoor;
  readonly broker: BrokerItem;
  readonly candidate: Candidate;
  readonly signer: Signer;
  /** Whether signatures are checked. */
  readonly checks: boolean;
}

/** Ports that answer at once and take everything; what a bench of dispatch never reaches throws. */
export const stubPorts = ({ door, broker, candidate, signer, checks }: Stubbed): DispatchPorts => {
  const destination = destinationOf("queue://far");
  const view = { destination, candidates: [candidate], localSubscribers: false, readyAt: 0, changedAt: 0 };
  const place = candidate.to === "consumers" ? "queue" : candidate.to;
  const views = { broker: async () => broker, read: async () => new Map([[destinationKey(destination), view]]) };
  return {
    identity: { self: broker.slice.broker, hash: sha256, signer, verifyWith: checks ? verifierOf : () => () => "valid" },
    views,
    freshViews: views,
    audit: unaudited(),
    newAttempt: () => "bench",
    longest: 60_000,
    brain: { read: () => unreached("brain") },
    counters: { add: async (_counter, n) => n, take: async (_window, n) => ({ taken: n, left: n, usedUp: false, until: 0 }) },
    loads: { read: async () => 0, add: () => {} },
    targets: {
      handOver: async (handOvers) =>
        handOvers.map(({ target }) => (target.to === place ? { answer: "accepted" } : unreached(`target ${target.to}`))),
    },
    events: { send: () => unreached("events") },
    subscriptions: { confirm: () => unreached("subscriptions") },
    resting: { receive: () => unreached("resting"), remove: () => unreached("resting"), giveBack: () => unreached("resting") },
    returns: { delay: () => unreached("returns") },
    doorOf: async () => door,
  };
};

const unreached = (port: string): never => {
  throw new Error(`dispatch called its port ${port}: a message of the bench didn't go its plain way`);
};
