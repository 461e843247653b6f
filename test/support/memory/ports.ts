import { maxBytes } from "../../../aws/batches.ts";
import { toEventMessage } from "../../../aws/events.ts";
import { resourcePlace } from "../../../aws/resources.ts";
import { type NetworkPart, queueAt, whereaboutsOf } from "../../../aws/whereabouts.ts";
import { wireBytes } from "../../../aws/wire.ts";
import type { PassOrder } from "../../../core/broker/events.ts";
import type { Destination } from "../../../core/destination/destination.ts";
import { isFifo } from "../../../core/destination/fifo.ts";
import type { Hash } from "../../../core/message/message.ts";
import { encodeProbe } from "../../../core/message/probe.ts";
import type {
  Contents,
  Depths,
  Events,
  ForeignSubscriptions,
  HandOver,
  HandOverAnswer,
  MadeThing,
  MadeThings,
  OutgoingEvent,
  Passes,
  Probes,
  Resource,
  Resources,
  RestingQueue,
  Returns,
  Subscriptions,
  SubscriptionTarget,
  Targets,
} from "../../../core/ports.ts";
import type { DrainedPlace } from "../../../core/routing/plan.ts";
import type { MemoryCloud } from "./cloud.ts";
import type { MemoryQueues } from "./queues.ts";
import type { MemoryTopics } from "./topics.ts";

export interface MemoryPorts {
  readonly targets: Targets;
  readonly events: Events;
  readonly probes: Probes;
  readonly resources: Resources;
  readonly made: MadeThings;
  readonly contents: Contents;
  readonly subscriptions: Subscriptions;
  readonly foreign: ForeignSubscriptions;
  readonly depths: Depths;
  readonly restingQueue: RestingQueue;
  readonly returns: Returns;
  /** Orders wait in `orders` for whoever plays dispatch. */
  readonly passes: Passes & { readonly orders: PassOrder[] };
}

/** What SNS takes as long as nobody set another limit on the topic. */
const maxTopicBytes = 262_144;
/** Of a copy that a drain pass holds. */
const restingVisibilityMs = 120_000;

/** One broker's ports on the shared memory cloud. `slice.broker` is the broker that looks out. */
export const memoryPorts = ({ queues, topics, made }: MemoryCloud, slice: NetworkPart, hash: Hash): MemoryPorts => {
  const where = whereaboutsOf(slice, hash);
  const { own } = where;
  const orders: PassOrder[] = [];
  const arnOf = (place: DrainedPlace) => where.queueOf(place).arn;

  const storeOf = (resource: Resource) => (resourcePlace(where, resource).service === "sns" ? topics : queues);

  const endOf = (topic: Destination, target: SubscriptionTarget) => {
    if (target.to === "feed") return queueAt(own, own.feedQueue(isFifo(topic)));
    return target.to === "link" ? where.inbound(target.link) : where.queueOf(target);
  };

  const unmake = (store: MemoryQueues | MemoryTopics, arn: string): void => {
    store.delete(arn);
    made.delete(arn);
  };

  const handOver = ({ target, wire, group, order }: HandOver): HandOverAnswer => {
    const place = where.target(target);
    if (wireBytes(wire) > (place?.service === "sns" ? maxTopicBytes : maxBytes))
      return { answer: "refused", cause: "too-large", why: `${wireBytes(wire)} bytes` };
    const id =
      place?.service === "sns"
        ? topics.publish(place.arn, wire, order)
        : place && queues.send(place.arn, wire, { ...(group && { group }), ...(order && { order }) });
    return id ? { answer: "accepted" } : { answer: "refused", cause: "missing", why: `nothing at ${place?.arn}` };
  };

  /** Whether the control queue was there. */
  const tell = (outgoing: OutgoingEvent): boolean => {
    const at = where.brokerOf(outgoing.to);
    const { wire, ...options } = toEventMessage(outgoing);
    return at !== undefined && queues.send(at.queueArn(at.controlQueue), wire, options) !== undefined;
  };

  return {
    targets: { handOver: async (handOvers) => handOvers.map(handOver) },

    events: {
      send: async (events) => {
        const mine = events.filter(({ to }) => to === own.place.id);
        if (!mine.every(tell)) throw new Error(`control queue ${own.controlQueue} is missing: create it in the memory cloud first`);
        return { dropped: events.filter(({ to }) => to !== own.place.id).filter((event) => !tell(event)).length };
      },
    },

    probes: {
      send: async (hello) => {
        const inbound = where.inbound(hello.link);
        return inbound && queues.send(inbound.arn, encodeProbe(hello)) ? "sent" : "no-peer";
      },
    },

    resources: {
      make: async (resource) => {
        const [store, { arn }] = [storeOf(resource), resourcePlace(where, resource)];
        if (!store.exists(arn)) made.add(arn);
        store.create(arn);
      },
      remove: async (resource) => unmake(storeOf(resource), resourcePlace(where, resource).arn),
    },

    made: {
      list: async () =>
        [...made]
          .map((arn) => ({ service: arn.split(":")[2] as MadeThing["service"], name: arn.slice(arn.lastIndexOf(":") + 1) }))
          .filter(({ name }) => name.startsWith(own.prefix)),
      remove: async ({ service, name }) => (service === "sns" ? unmake(topics, own.topicArn(name)) : unmake(queues, own.queueArn(name))),
    },

    contents: {
      messagesIn: async (queue) => {
        const { visible, inFlight, delayed } = queues.depth(own.queueArn(queue)) ?? { visible: 0, inFlight: 0, delayed: 0 };
        return visible + inFlight + delayed;
      },
    },

    subscriptions: {
      subscribe: async (topic, target) => {
        const queue = endOf(topic, target);
        const undelivered = target.to === "link" ? where.undelivered(target.link) : undefined;
        const { arn: topicArn } = where.topicOf(topic);
        const arn = queue && topics.subscribe(topicArn, queue.arn, undelivered?.arn);
        if (!arn) throw new Error(`nothing to subscribe: topic ${topicArn} or the link is missing`);
        return { arn };
      },
      filter: async (arn, policy = "{}") => topics.filter(arn, policy),
      unsubscribe: async (arn) => topics.unsubscribe(arn),
      confirm: async () => {},
    },

    foreign: {
      list: async (topic) => {
        const { arn } = where.topicOf(topic);
        if (!topics.exists(arn)) throw new Error(`there is no topic ${arn}`);
        return topics.subscriptions(arn).flatMap((one) => (where.isOwnEnd(one.queueArn) ? [] : [one.arn]));
      },
    },

    depths: {
      visible: async (place) => queues.depth(arnOf(place))?.visible ?? 0,
      read: async (place) => {
        const { visible, inFlight, delayed } = queues.depth(arnOf(place)) ?? { visible: 0, inFlight: 0, delayed: 0 };
        return { visible, all: visible + inFlight + delayed };
      },
    },

    restingQueue: {
      receive: async (place) => queues.receive(arnOf(place), 10, restingVisibilityMs) ?? [],
      remove: async (place, copies) => {
        for (const { receipt } of copies) queues.remove(arnOf(place), receipt);
      },
      giveBack: async (place, copies) => {
        for (const { receipt } of copies) queues.changeVisibility(arnOf(place), receipt, 0);
      },
    },

    returns: {
      delay: async (door, records) => {
        for (const { receipt, seconds } of records) queues.changeVisibility(door, receipt, seconds);
      },
    },

    passes: { orders, start: async (order) => void orders.push(order) },
  };
};
