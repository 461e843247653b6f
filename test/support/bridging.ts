import { destinationOf } from "../../core/destination/destination.ts";
import type { BrokerId } from "../../core/ids.ts";
import type { JmsBridge } from "../../core/jms-bridge/jms-bridge.ts";
import type { TransferOutcome } from "../../core/jms-bridge/outcome.ts";
import type { BridgePlan, BridgePorts, RetryOrder } from "../../core/jms-bridge/ports.ts";
import { retry } from "../../core/jms-bridge/retry.ts";
import { transfer } from "../../core/jms-bridge/transfer.ts";
import type { ConsumedContext } from "../../core/message/decode.ts";
import { encodeBridged } from "../../core/message/encode.ts";
import type { WireMessage } from "../../core/message/message.ts";
import type { HandOverAnswer, RestingCopy } from "../../core/ports.ts";
import { sha256 } from "./hash.ts";
import { memoryAudit } from "./memory/audit.ts";
import { memoryQueues } from "./memory/queues.ts";
import { memoryTopics } from "./memory/topics.ts";
import { numbered } from "./numbered.ts";
import { Crash, calm, type Disturbance } from "./simulator/disturbance.ts";

/** What a target does with a hand-over; "deaf" accepts it and its answer is lost. */
export type TargetMood = "takes" | "refuses" | "hangs" | "deaf" | "too-large" | "dislikes";

export interface BridgeWorldOptions extends Partial<Pick<JmsBridge, "qualityOfServiceMode" | "addMessageIDInHeader">> {
  /** Of the source queue. @default 1 */
  readonly maxReceiveCount?: number;
  readonly source?: ConsumedContext;
  /** Queues that subscribe to the target, which is a topic then. @default - the target is a queue */
  readonly subscribers?: readonly string[];
  /** What goes wrong between queues and handlers. */
  readonly disturbance?: Pick<Disturbance, "handlers" | "batchSize" | "received" | "died" | "deletes" | "skew">;
  /** Ports of one invocation, that may lose answers or die. @default all have the same */
  readonly portsOf?: (ports: BridgePorts) => BridgePorts;
}

const longest = 60_000;
const visibility = 6 * longest;

/** A source queue, a bridge and its target, on a clock that moves when nothing else can. */
export const bridgeWorld = ({
  maxReceiveCount = 1,
  source = plainSource,
  subscribers,
  disturbance = calm,
  portsOf = (same) => same,
  ...options
}: BridgeWorldOptions = {}) => {
  const world = {
    now: 1_000_000,
    isOn: true,
    isSwitchStuck: false,
    /** How often one look at what is parked has time to receive. */
    looks: Number.POSITIVE_INFINITY,
    moodOf: (_body: string): TargetMood => "takes",
    crashAfter: Number.POSITIVE_INFINITY,
  };
  const queues = memoryQueues(() => world.now, numbered("id"));
  for (const name of ["source", "target", "undelivered", "dead-letters", "orders", "source-dlq"]) queues.create(name);
  const published = numbered("published");
  const topics = memoryTopics(queues, () => world.now, published, { subscriptionLagMs: 0, filterLagMs: 0, delivery: () => "arrives" });
  if (subscribers) topics.create("target");
  for (const name of subscribers ?? []) {
    queues.create(name);
    topics.subscribe("target", name);
  }
  const audit = memoryAudit<BridgePlan>();
  const steps: string[] = [];
  const outcomes: TransferOutcome[] = [];

  /** Each call of a port is a place to die: its effect stays. */
  const call = async <T>(step: string, effect: () => T | Promise<T>): Promise<T> => {
    const result = await effect();
    steps.push(step);
    world.crashAfter -= 1;
    if (world.crashAfter < 0) throw new Crash(step);
    return result;
  };

  const answerOf = (to: BridgePlan, wire: WireMessage): HandOverAnswer => {
    const mood = to === "target" ? world.moodOf(wire.body) : "takes";
    const take = () => (to === "target" && subscribers ? topics.publish(to, wire) : queues.send(to, wire));
    if (mood === "takes" || mood === "deaf") take();
    return answers[mood];
  };
  const takenFrom = (queue: string): BridgePorts["sourceQueue"] => ({
    remove: (copies) =>
      call(`delete from ${queue}`, () =>
        copies.map(({ receipt }) => {
          queues.remove(queue, receipt);
          return true;
        }),
      ),
  });

  const ports: BridgePorts = {
    bridge: {
      name: "audit",
      qualityOfServiceMode: "ONCE_AND_ONLY_ONCE",
      addMessageIDInHeader: false,
      failureRetryInterval: 5_000,
      target: destinationOf("queue://target"),
      ...options,
    },
    source,
    hash: sha256,
    encode: (messages) => encodeBridged(messages, "place"),
    audit: {
      claim: (claims, now) => call("claim", () => audit.claim(claims, now)),
      takeOver: (...taking) => call("take over", () => audit.takeOver(...taking)),
      progress: (claims) => call("progress", () => audit.progress(claims)),
      settle: (...settled) => call("settle", () => audit.settle(...settled)),
      release: (claims) => call("release", () => audit.release(claims)),
    },
    targets: {
      handOver: (handOvers) =>
        call(`hand over to ${handOvers.map(({ to }) => to).join()}`, () => handOvers.map(({ to, wire }) => answerOf(to, wire))),
      isThere: () => call("look at the target", () => !["refuses", "hangs"].includes(world.moodOf(""))),
    },
    sourceQueue: takenFrom("source"),
    parked: {
      ...takenFrom("undelivered"),
      receive: (most) => call("receive parked", () => queues.receive("undelivered", most, 2 * longest) ?? []),
      giveBack: (copies) =>
        call("give back parked", () => {
          for (const { receipt } of copies) queues.changeVisibility("undelivered", receipt, 0);
        }),
    },
    eventSource: {
      turn: (to) =>
        call(`turn ${to}`, () => {
          if (world.isSwitchStuck) return false;
          world.isOn = to === "on";
          return true;
        }),
    },
    orders: {
      send: (order, delaySeconds) =>
        call("order", () => void queues.send("orders", { body: JSON.stringify(order), attributes: {} }, { delaySeconds })),
    },
    newAttempt: numbered("attempt"),
    longest,
  };

  /** What the event source does with one batch; a crash leaves it to the queue's visibility. */
  const poll = async (most?: number): Promise<void> => {
    if (!world.isOn || !queues.depth("source")?.visible) return;
    const received = queues.receive("source", most ?? disturbance.batchSize(), visibility) ?? [];
    const copies = received.filter((copy) => {
      if (copy.receiveCount <= maxReceiveCount) return true;
      queues.remove("source", copy.receipt);
      queues.send("source-dlq", copy);
      return false;
    });
    if (copies.length === 0) return;
    disturbance.received(queues, "source", copies, "door");
    const invoke = () => transfer(portsOf(ports), copies, world.now + disturbance.skew("batch", copies)).catch(orCrash);
    const handled = await Promise.all(Array.from({ length: disturbance.handlers(copies) }, invoke));
    for (const ended of handled) if (ended !== "crashed") answer(copies, ended);
    if (handled.every((ended) => ended === "crashed")) disturbance.died(queues, "source", copies);
  };

  const answer = (copies: readonly RestingCopy[], ended: readonly TransferOutcome[]): void => {
    outcomes.push(...ended);
    for (const [index, copy] of copies.entries()) {
      const again = ended[index]?.again;
      if (again !== undefined) queues.changeVisibility("source", copy.receipt, again);
      else if (disturbance.deletes(copy, "door")) queues.remove("source", copy.receipt);
    }
  };

  const handleOrders = async (): Promise<void> => {
    for (const copy of queues.receive("orders", 10, visibility) ?? []) {
      const order = JSON.parse(copy.body) as RetryOrder;
      let looked = 0;
      const hasTime = () => looked++ < world.looks;
      const ended = await retry(portsOf(ports), { ...copy, order }, () => world.now, hasTime).catch(orCrash);
      if (ended === "crashed") continue;
      if (ended === undefined) queues.remove("orders", copy.receipt);
      else queues.changeVisibility("orders", copy.receipt, ended);
    }
  };

  const bodies = (queue: string): readonly string[] => queues.peek(queue).map(({ body }) => body);

  const idsAt = (queue: string): readonly string[] =>
    queues.peek(queue).map(({ attributes }) => JSON.parse(attributes.SpanMQ?.value ?? "{}").id);

  /** Queues in which something still waits. */
  const left = (): readonly string[] =>
    ["source", "source-dlq", "undelivered", "dead-letters", "orders"].filter((queue) => bodies(queue).length > 0);

  /** Lets everything run until the clock reaches `until`, or nothing is left to do. */
  const runUntil = async (until = Number.POSITIVE_INFINITY): Promise<void> => {
    while (world.now <= until) {
      const before = steps.length;
      await poll();
      await handleOrders();
      if (steps.length > before) continue;
      const next = queues.nextVisibleAt();
      if (next === undefined) return;
      world.now = Math.max(next, world.now + 1);
    }
  };

  return {
    world,
    ports,
    queues,
    steps,
    outcomes,
    bodies,
    idsAt,
    left,
    poll,
    runUntil,
    send: (body: string, attributes: WireMessage["attributes"] = {}) => void queues.send("source", { body, attributes }),
  };
};

const orCrash = (error: unknown): "crashed" => {
  if (error instanceof Crash) return "crashed";
  throw error;
};

const plainSource: ConsumedContext = {
  self: "us" as BrokerId,
  hash: sha256,
  verify: () => "invalid",
  destination: destinationOf("queue://source"),
};

const answers: Readonly<Record<TargetMood, HandOverAnswer>> = {
  takes: { answer: "accepted" },
  refuses: { answer: "refused", cause: "denied", why: "denied" },
  hangs: { answer: "silent", why: "no answer in 3 s" },
  deaf: { answer: "silent", why: "no answer in 3 s" },
  "too-large": { answer: "refused", cause: "too-large", why: "too large" },
  dislikes: { answer: "refused", cause: "other", why: "invalid" },
};
