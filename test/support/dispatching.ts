import { makeKey, signerOf, verifierOf } from "../../aws/keys.ts";
import type { DrainPorts } from "../../core/broker/dispatch/drain.ts";
import { destinationKey, destinationOf } from "../../core/destination/destination.ts";
import type { TransportRecord } from "../../core/message/message.ts";
import type { HandOver, HandOverAnswer, OutgoingEvent } from "../../core/ports.ts";
import type { Plan } from "../../core/routing/plan.ts";
import type { Candidate, DestinationView } from "../../core/routing/view.ts";
import { aRecord } from "./a-message.ts";
import { sliceOf } from "./a-slice.ts";
import { sha256 } from "./hash.ts";
import { memoryAudit } from "./memory/audit.ts";
import { memoryBrain } from "./memory/brain.ts";
import { memoryCloud } from "./memory/cloud.ts";
import { memoryPorts } from "./memory/ports.ts";
import { numbered } from "./numbered.ts";
import { networkOf, pair } from "./simulator/topologies.ts";

/** There is time for everything. */
export const always = (): boolean => true;

export const accepted: HandOverAnswer = { answer: "accepted" };
export const silent: HandOverAnswer = { answer: "silent", why: "no answer in 3 s" };
export const refused = (cause: Extract<HandOverAnswer, { answer: "refused" }>["cause"]): HandOverAnswer => ({
  answer: "refused",
  cause,
  why: cause,
});

export const aView = (text: string, candidates: readonly Candidate[], fields: Partial<DestinationView> = {}): DestinationView => ({
  destination: destinationOf(text),
  candidates,
  localSubscribers: false,
  readyAt: 0,
  changedAt: 0,
  ...fields,
});
export const localConsumers: Candidate = { to: "consumers", id: "consumers@0", priority: 0, weight: 1, capacity: 1_000 };

/** A plain producer's message to a destination, as ingress hands it out. */
export const fromProducer = (ref: string, to: string): TransportRecord => ({
  ...aRecord({ body: ref, attributes: { destination: { type: "String", value: to } } }),
  ref,
  id: ref,
});

/**
 * Dispatch of broker a in a pair: its targets answer as they are told and remember what they were handed, the rest is memory. `policy`: for
 * all queues.
 */
export const dispatching = (
  views: readonly DestinationView[],
  answerOf: (handOver: HandOver) => HandOverAnswer = () => accepted,
  policy: object = {},
) => {
  const clock = { now: 0 };
  const destinationPolicies = [{ destination: "queue://>", ...policy }];
  const slice = sliceOf(networkOf(pair, {}, { brokers: { a: { destinationPolicies } } }), "a");
  const cloud = memoryCloud(() => clock.now);
  const memory = memoryPorts(cloud, slice, sha256);
  const key = makeKey();
  const counters = memoryBrain();
  const audit = memoryAudit<Plan>();
  const attempts = numbered("attempt");
  const handed: HandOver[] = [];
  const events: OutgoingEvent[] = [];
  const ports: DrainPorts = {
    identity: { self: slice.broker, hash: sha256, signer: signerOf(key.privateKey), verifyWith: verifierOf },
    views: {
      broker: async () => ({ slice, version: 1, keys: [key.publicKey], peerKeys: {} }),
      read: async () => new Map(views.map((view) => [destinationKey(view.destination), view])),
    },
    brain: counters,
    counters,
    audit,
    newAttempt: attempts,
    longest: 60_000,
    loads: { read: async () => 0, add: () => {} },
    targets: {
      handOver: async (handOvers) => {
        handed.push(...handOvers);
        return handOvers.map(answerOf);
      },
    },
    events: {
      send: async (sent) => {
        events.push(...sent);
        return { dropped: 0 };
      },
    },
    subscriptions: memory.subscriptions,
    resting: memory.restingQueue,
  };
  return { ports, handed, events, counters, audit, cloud, clock, slice, key };
};
