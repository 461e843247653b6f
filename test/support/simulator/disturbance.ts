import type { ControlPorts } from "../../../core/broker/control/ports.ts";
import type { DrainPorts } from "../../../core/broker/dispatch/drain.ts";
import type { BrokerId } from "../../../core/ids.ts";
import type { Brain, OutgoingEvent, RestingCopy, Views } from "../../../core/ports.ts";
import type { MemoryQueues } from "../memory/queues.ts";
import type { Others, Silence } from "./weather.ts";

/** What becomes of an event. A late one is overtaken by those sent after it. */
export type Fate = "arrives" | "is lost" | "arrives twice" | "comes late";

/** Who has received copies. */
export type Taker = "door" | "pass" | "consumer";

/** What goes wrong inside brokers and queues, as far as a test wants it to. */
export interface Disturbance {
  /** Ports of one dispatch invocation, that may lose answers or die. `about`: the batch, or the order of the pass. */
  invocation<P extends DrainPorts>(ports: P, work: "batch" | "pass", about: unknown): P;
  /** Ports of one invocation of control, that may fail, hang while others go on, or die: then nobody hears its answer. */
  control(ports: ControlPorts, about: unknown, others: Others): { readonly ports: ControlPorts; readonly hasDied: () => boolean };
  /** What an invocation of dispatch asks whether it has time to go on; once it has none it has none. */
  timeLeft(): () => boolean;
  /** How many handlers (of this broker, if it is one) take the same batch at once. */
  handlers(copies: readonly RestingCopy[], at?: BrokerId): number;
  /** How many copies a batch takes. */
  batchSize(): number;
  /** Somebody has received these copies of a queue: others may get them too. */
  received(queues: MemoryQueues, arn: string, copies: readonly RestingCopy[], by: Taker): void;
  /** Every handler of this batch died. */
  died(queues: MemoryQueues, arn: string, copies: readonly RestingCopy[]): void;
  /** Does a delete that SQS accepted hold? */
  deletes(copy: RestingCopy, by: Taker): boolean;
  /** Milliseconds by which the clock of an invocation is off. `about`: what it was called for. */
  skew(work: "batch" | "pass" | "control", about: unknown): number;
  /** What becomes of a control event of this broker: one to itself can't be lost. */
  fate(from: BrokerId, event: OutgoingEvent): Fate;
  /** What dispatch of this broker sees instead of its views. */
  views(views: Views, brain: Brain, at: BrokerId): Views;
  /** Something of one broker didn't reach the other. */
  unreached(from: BrokerId, to: BrokerId): void;
  /** The weather had its way with this hand-over, or this message that SNS was to deliver. */
  weathered(how: "refuses" | Silence, port: "hand-over" | "delivery by SNS", about: unknown): void;
}

export const calm: Disturbance = {
  invocation: (ports) => ports,
  control: (ports) => ({ ports, hasDied: () => false }),
  timeLeft: () => () => true,
  handlers: () => 1,
  batchSize: () => 10,
  received: () => {},
  died: () => {},
  deletes: () => true,
  skew: () => 0,
  fate: () => "arrives",
  views: (views) => views,
  unreached: () => {},
  weathered: () => {},
};

/** The invocation ended in the middle: nothing after it happened, its batch comes again when the visibility ends. */
export class Crash extends Error {
  override readonly name = "Crash";
}

/** Runs an invocation; `undefined`: it crashed. */
export const survived = async <T>(invocation: () => Promise<T>): Promise<T | undefined> => {
  try {
    return await invocation();
  } catch (error) {
    if (error instanceof Crash) return undefined;
    throw error;
  }
};
