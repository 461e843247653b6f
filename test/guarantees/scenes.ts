import type { QualityOfService } from "../../core/carry/quality-of-service.ts";
import type { Target } from "../../core/routing/plan.ts";
import type { Owner } from "../support/behind-ingress.ts";
import type { ConsumerOptions } from "../support/simulator/client.ts";
import type { Particulars } from "../support/simulator/topologies.ts";
import type { Silence } from "../support/simulator/weather.ts";

/** Where strikes fall: at the carrier of one broker, in batches or in passes, on hand-overs to one kind of target. */
export interface Aim {
  readonly at: "a" | "b";
  readonly work: "batch" | "pass";
  readonly target: Target["to"];
}

interface Consumer {
  readonly at: "a" | "b";
  readonly options?: ConsumerOptions;
}

/** A message's way through brokers a and b, with a connector from a to b. */
export interface NetworkScene {
  readonly plays: "network";
  readonly destination: string;
  readonly consumer?: Consumer;
  /** So many like it. @default 1 */
  readonly subscribers?: number;
  /** Comes when the message has come to rest. */
  readonly late?: Consumer;
  /** So many days later. */
  readonly days?: number;
  /** Comes once the handler was struck, before anything comes again. */
  readonly meanwhile?: Consumer;
  /** The consumer reads nothing until then. */
  readonly isAsleep?: true;
  readonly aim: Aim;
  readonly particulars?: Particulars;
  /** `enableAudit: false` on both brokers. */
  readonly isUnaudited?: true;
  /** The link's hand-overs get no answer, for a minute. */
  readonly silence?: Silence;
  /** What befalls it befalls the producer, or the consumer, not dispatch. */
  readonly end?: "producer" | "consumer";
  /** Somebody is subscribed to b's topic by SNS's own means, so that it is published there. */
  readonly isNative?: true;
  /** By `sns.publish` instead of the ingress. */
  readonly isPublished?: true;
  /** Counted in a's dead letters. */
  readonly isBuried?: true;
}

/** A message's way over a JMS bridge. */
export interface BridgeScene {
  readonly plays: "bridge";
  readonly mode: QualityOfService;
  /** `parked`: the target was away; strikes fall when it is back. */
  readonly from: "queue" | "topic" | "parked";
  /** `plain`: anybody's; or the ingress of a broker, by whose bridge it is. */
  readonly target: "plain" | Owner;
}

/** A message that a handler gets which `once` guards. */
export interface OnceScene {
  readonly plays: "once";
}
export type Scene = NetworkScene | BridgeScene | OnceScene;

const queue = "queue://far";
const declared: Particulars = { brokers: { a: { queues: ["far"] } } };
const atA = { at: "a", work: "batch" } as const;
const atB = { at: "b", work: "batch" } as const;
const pass = { at: "a", work: "pass" } as const;
const network = (scene: Omit<NetworkScene, "plays">): NetworkScene => ({ plays: "network", ...scene });
export const unaudited = (scene: NetworkScene): NetworkScene => ({ ...scene, isUnaudited: true });
const inOrder = { queues: ["far.fifo"], topics: ["far.fifo"] };
export const fifo = (scene: NetworkScene): NetworkScene => ({
  ...scene,
  destination: `${scene.destination}.fifo`,
  particulars: { brokers: { a: inOrder, b: inOrder } },
});

export const queueHere = network({ destination: queue, consumer: { at: "a" }, aim: { ...atA, target: "queue" } });
export const produced = network({ ...queueHere, end: "producer" });
export const consumed = network({ ...queueHere, end: "consumer" });
export const privateQueue = network({
  destination: queue,
  consumer: { at: "a", options: { prefetchSize: 5 } },
  aim: { ...atA, target: "private" },
});
export const topicHere = network({ destination: "topic://far", consumer: { at: "a" }, aim: { ...atA, target: "topic" } });
export const overLink = network({ destination: queue, consumer: { at: "b" }, aim: { ...atA, target: "link" } });
export const fromLink = network({ destination: queue, consumer: { at: "b" }, aim: { ...atB, target: "queue" } });
export const restsForHere = network({ destination: queue, particulars: declared, late: { at: "a" }, aim: { ...atA, target: "queue" } });
export const restsForThere = network({ ...restsForHere, late: { at: "b" } });
export const parked = network({ ...overLink, silence: "hangs", aim: { ...atA, target: "undelivered" } });
export const buried = network({
  destination: "queue://nowhere",
  particulars: { brokers: { a: { autoCreateDestinations: [] } } },
  aim: { ...atA, target: "dead-letters" },
  isBuried: true,
});
export const composite = network({ destination: "queue://x,queue://y", consumer: { at: "a" }, aim: { ...atA, target: "queue" } });
export const topicDirect = network({
  destination: "topic://far",
  consumer: { at: "b" },
  subscribers: 2,
  aim: { ...atB, target: "own-queue" },
  particulars: { brokers: { a: { topics: ["far"] } } },
  isPublished: true,
});
const { subscribers: _, ...toOne } = topicDirect;
export const topicAcross = network({ ...toOne, aim: { ...atB, target: "topic" }, isNative: true });
export const published = network({ ...topicAcross, end: "producer" });
export const fifoTopicAcross = fifo({ ...toOne, aim: topicAcross.aim });
export const fifoTopicFed = fifo({ ...toOne, aim: { ...atA, target: "link" } });

export const passOverLink = network({ ...restsForThere, aim: { ...pass, target: "link" } });
export const passBesideConsumer = network({ ...passOverLink, meanwhile: { at: "a" } });
export const passToPrivate = network({
  ...restsForHere,
  late: { at: "a", options: { prefetchSize: 5 } },
  aim: { ...pass, target: "private" },
});
export const passToPrivateBesideConsumer = network({ ...passToPrivate, meanwhile: { at: "a" } });
export const renewed = network({ ...restsForHere, days: 9, aim: { ...pass, target: "queue" } });
export const renewedForThere = network({ ...renewed, late: { at: "b" } });
export const renewedDurable = network({
  destination: "topic://far",
  consumer: { at: "a", options: { durable: { clientID: "app", subscriptionName: "far" } } },
  isAsleep: true,
  days: 9,
  aim: { ...pass, target: "own-queue" },
});
export const redrive = network({ ...overLink, silence: "hangs", aim: { ...pass, target: "link" } });
export const redriveOfArrived = network({ ...redrive, silence: "accepts and says nothing" });
export const renewedParked = network({ ...redrive, days: 9, aim: { ...pass, target: "undelivered" } });
export const unauditedFifoMoving = network({
  ...unaudited(fifo(privateQueue)),
  meanwhile: { at: "a", options: { prefetchSize: 5, priority: 1 } },
});

export const bridge = (mode: QualityOfService, from: BridgeScene["from"], target: BridgeScene["target"]): BridgeScene => ({
  plays: "bridge",
  mode,
  from,
  target,
});
export const guarded: OnceScene = { plays: "once" };
