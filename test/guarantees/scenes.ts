import type { QualityOfService } from "../../core/carry/quality-of-service.ts";
import type { Target } from "../../core/routing/plan.ts";
import type { ConsumerOptions } from "../support/simulator/client.ts";
import type { Particulars } from "../support/simulator/topologies.ts";
import type { Silence } from "../support/simulator/weather.ts";

/** Where strikes fall: at the carrier of one broker, in batches or in passes, on hand-overs to one kind of target. */
export interface Aim {
  readonly at: "a" | "b";
  readonly work: "batch" | "pass";
  readonly target: Target["to"] | readonly Target["to"][];
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
  /** Comes when the message has come to rest. */
  readonly late?: Consumer;
  /** Comes once the handler was struck, before anything comes again. */
  readonly meanwhile?: Consumer;
  readonly aim: Aim;
  readonly particulars?: Particulars;
  /** The link's hand-overs get no answer, for a minute. */
  readonly silence?: Silence;
  /** What is delivered again or not deleted is the consumer's copy, not dispatch's. */
  readonly isConsumers?: true;
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
  /** `ingress`: of the broker whose bridge it is. */
  readonly target: "plain" | "ingress";
}

/** A message that a handler gets which `once` guards. */
export interface OnceScene {
  readonly plays: "once";
}
export type Scene = NetworkScene | BridgeScene | OnceScene;

const queue = "queue://far";
const declared: Particulars = { brokers: { a: { queues: ["far"] } } };
const atA = { at: "a", work: "batch" } as const;
const pass = { at: "a", work: "pass" } as const;
const noAudit = { queues: ["far"], destinationPolicies: [{ destination: "queue://>", enableAudit: false }] };
const unaudited: Particulars = { brokers: { a: noAudit, b: noAudit } };
const network = (scene: Omit<NetworkScene, "plays">): NetworkScene => ({ plays: "network", ...scene });

export const queueHere = network({ destination: queue, consumer: { at: "a" }, aim: { ...atA, target: "queue" } });
export const consumed = network({ ...queueHere, isConsumers: true });
export const privateQueue = network({
  destination: queue,
  consumer: { at: "a", options: { prefetchSize: 5 } },
  aim: { ...atA, target: "private" },
});
export const topicHere = network({ destination: "topic://far", consumer: { at: "a" }, aim: { ...atA, target: "topic" } });
export const overLink = network({ destination: queue, consumer: { at: "b" }, aim: { ...atA, target: "link" } });
export const fromLink = network({ destination: queue, consumer: { at: "b" }, aim: { at: "b", work: "batch", target: "queue" } });
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
  aim: { at: "b", work: "batch", target: "own-queue" },
  particulars: { brokers: { a: { topics: ["far"] } } },
  isPublished: true,
});
export const topicAcross = network({ ...topicDirect, aim: { at: "b", work: "batch", target: "topic" }, isNative: true });
const inOrder = { queues: ["far.fifo"], topics: ["far.fifo"] };
const fifo = (scene: NetworkScene): NetworkScene => ({
  ...scene,
  destination: `${scene.destination}.fifo`,
  particulars: { brokers: { a: inOrder, b: inOrder } },
});
export const fifoHere = fifo(queueHere);
export const fifoOverLink = fifo(overLink);
export const fifoFromLink = fifo(fromLink);
export const fifoTopicAcross = fifo({ ...topicDirect, aim: topicAcross.aim });
export const passOverLink = network({ ...restsForThere, aim: { ...pass, target: "link" } });
export const passBesideConsumer = network({
  ...passOverLink,
  meanwhile: { at: "a" },
  aim: { ...pass, target: ["link", "undelivered"] },
});
export const passToPrivate = network({
  ...restsForHere,
  late: { at: "a", options: { prefetchSize: 5 } },
  aim: { ...pass, target: "private" },
});
export const fifoPassToPrivate = fifo(passToPrivate);
export const passToPrivateBesideConsumer = network({
  ...passToPrivate,
  meanwhile: { at: "a" },
});
export const redrive = network({ ...overLink, silence: "hangs", aim: { ...pass, target: "link" } });
export const redriveOfArrived = network({ ...redrive, silence: "accepts and says nothing" });
export const unauditedHere = network({ ...queueHere, particulars: unaudited });
export const unauditedLink = network({ ...overLink, particulars: unaudited });
const unauditedInOrder = { ...inOrder, destinationPolicies: noAudit.destinationPolicies };
const unauditedFifos: Particulars = { brokers: { a: unauditedInOrder, b: unauditedInOrder } };
export const unauditedFifo = network({ ...fifoHere, particulars: unauditedFifos });
export const unauditedFifoLink = network({ ...fifoOverLink, particulars: unauditedFifos });
export const unauditedFifoMoving = network({
  ...unauditedFifo,
  consumer: { at: "a", options: { prefetchSize: 5 } },
  meanwhile: { at: "a", options: { prefetchSize: 5, priority: 1 } },
  aim: { ...atA, target: "private" },
});
export const unauditedPass = network({ ...passOverLink, particulars: unaudited });

export const bridge = (mode: QualityOfService, target: BridgeScene["target"]): BridgeScene => ({ plays: "bridge", mode, target });
export const guarded: OnceScene = { plays: "once" };
