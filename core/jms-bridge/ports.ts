import type { Audit } from "../carry/audit.ts";
import type { ConsumedContext } from "../message/decode.ts";
import type { Hash, Message, WireMessage } from "../message/message.ts";
import type { HandOverAnswer, RestingCopy } from "../ports.ts";
import type { JmsBridge } from "./jms-bridge.ts";

/** Where a bridge puts a message: at its target, or into a queue of its own beside the source. Stored with the claim. */
export type BridgePlan = "target" | "undelivered" | "dead-letters";

export interface BridgeHandOver {
  readonly to: BridgePlan;
  readonly wire: WireMessage;
}

/** Answers in the order given, one each, never throws for one. */
export interface BridgeTargets {
  handOver(handOvers: readonly BridgeHandOver[]): Promise<readonly HandOverAnswer[]>;
  /** Whether the target can be seen: reads its attributes, sends nothing. */
  isThere(): Promise<boolean>;
}

/** A queue that the bridge takes from. */
export interface TakenFrom {
  /** Whether each was surely deleted; in the order given, never throws for one. */
  remove(copies: readonly RestingCopy[]): Promise<readonly boolean[]>;
}

/** The bridge's own `undelivered`. */
export interface Parked extends TakenFrom {
  /** Empty when a short wait found none. Received copies stay invisible for twice `longest`, which is less than an order that isn't answered for. */
  receive(most: number): Promise<readonly RestingCopy[]>;
  /** Throws if one may not be back: whoever looks next must not find the place empty. */
  giveBack(copies: readonly RestingCopy[]): Promise<void>;
}

/** Feeds the bridge from its source; switching takes tens of seconds. Idempotent, and never throws: a later order repeats it. */
export interface EventSource {
  /** Whether it is on its way there. */
  turn(to: "on" | "off"): Promise<boolean>;
}

/** Look after what is parked, until none is and the event source is on. */
export interface RetryOrder {
  /** Names the order: its claim on the bridge's breaker. */
  readonly attempt: string;
}

/** Orders to ourselves. One that isn't accepted throws; each is answered for by who handles it, or comes again. */
export interface RetryOrders {
  send(order: RetryOrder, delaySeconds: number): Promise<void>;
}

export interface BridgePorts {
  readonly bridge: JmsBridge;
  /** What the source queue's records are. */
  readonly source: ConsumedContext;
  readonly hash: Hash;
  /** One for each message, in order. */
  encode(messages: readonly Message[]): readonly WireMessage[];
  readonly targets: BridgeTargets;
  readonly audit: Audit<BridgePlan>;
  readonly sourceQueue: TakenFrom;
  readonly parked: Parked;
  readonly eventSource: EventSource;
  readonly orders: RetryOrders;
  /** A random text, another one for each call. */
  newAttempt(): string;
  /** Milliseconds that an invocation may run. */
  readonly longest: number;
}
