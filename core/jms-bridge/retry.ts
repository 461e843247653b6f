import { backOff } from "../carry/back-off.ts";
import { bridgeKey } from "../carry/scope.ts";
import { isMovedBack } from "../message/dead-letter.ts";
import type { RestingCopy } from "../ports.ts";
import { closeBreaker, holdsBreaker, retrySeconds } from "./breaker.ts";
import { bridgedId } from "./bridged.ts";
import { asDeadLetter, type BridgeLoad, carryToTarget, type Manner } from "./carrying.ts";
import type { BridgePorts, RetryOrder } from "./ports.ts";

/** An order as it was received. */
export interface ReceivedOrder {
  readonly order: RetryOrder;
  readonly sentAt: number;
  readonly receiveCount: number;
}

/** Seconds until the order comes again; `undefined`: it is answered for. */
export type Again = number | undefined;

/**
 * Looks whether the target is back: reads its attributes, then hands over one parked message, then all others. With the last one the
 * source is turned on. An order ends when it found nothing parked after whoever sent it must have ended, so that nothing is left alone.
 * Crash window: an order whose handler dies comes again.
 */
export const retry = async (
  ports: BridgePorts,
  received: ReceivedOrder,
  clock: () => number,
  mayContinue: () => boolean,
): Promise<Again> => {
  const { order, receiveCount } = received;
  if (!(await holdsBreaker(ports, order, clock()))) return comesAgain(ports, received, backOff(receiveCount), clock());
  const drained = await drainParked(ports, clock, mayContinue);
  switch (drained) {
    case "empty":
      if (!(await closeBreaker(ports, order))) return comesAgain(ports, received, retrySeconds(ports.bridge), clock());
      return untilSenderEnded(ports, received, clock());
    case "unfinished":
      return 0;
    case "undeleted":
      return comesAgain(ports, received, retrySeconds(ports.bridge), clock());
    case "target-away":
      await ports.eventSource.turn("off");
      return comesAgain(ports, received, retrySeconds(ports.bridge), clock());
    default:
      return drained satisfies never;
  }
};

/** More than a handler's clock may run ahead of its limit. */
const margin = 5_000;

const untilSenderEnded = ({ longest }: BridgePorts, { sentAt }: ReceivedOrder, now: number): Again => {
  const left = sentAt + longest + margin - now;
  return left > 0 ? Math.ceil(left / 1_000) : undefined;
};

const week = 7 * 86_400_000;

/** SQS forgets an order after 14 days, however long the outage. */
const comesAgain = async ({ orders }: BridgePorts, { order, sentAt }: ReceivedOrder, seconds: number, now: number): Promise<Again> => {
  if (now - sentAt < week) return seconds;
  await orders.send(order, seconds);
  return undefined;
};

const drainParked = async (
  ports: BridgePorts,
  clock: () => number,
  mayContinue: () => boolean,
): Promise<"empty" | "unfinished" | "undeleted" | "target-away"> => {
  if (!(await ports.targets.isThere())) return "target-away";
  let most = 1;
  while (mayContinue()) {
    const copies = await ports.parked.receive(most);
    if (copies.length === 0) return "empty";
    const { waiting, undeleted } = await redrive(ports, copies, clock());
    const staying = [...waiting, ...undeleted];
    if (staying.length > 0) {
      await ports.parked.giveBack(staying);
      return waiting.length > 0 ? "target-away" : "undeleted";
    }
    most = 10;
  }
  return "unfinished";
};

/** Parked copies that stay where they are. */
interface Staying {
  readonly waiting: readonly RestingCopy[];
  /** Carried, and to be dropped as done when they are found again. */
  readonly undeleted: readonly RestingCopy[];
}

/** Hands parked copies over as they are, and deletes them. */
const redrive = async (ports: BridgePorts, copies: readonly RestingCopy[], now: number): Promise<Staying> => {
  const manner: Manner = {
    from: ports.parked,
    mode: ports.bridge.qualityOfServiceMode === "DUPLICATES_OK" ? "DUPLICATES_OK" : "ONCE_AND_ONLY_ONCE", // nothing that waits is lost
    withPlan: (load, plan) => ({ ...load, plan }),
    chooseAnew: (load, refusal) => (isHopeless(load, refusal.cause) ? asDeadLetter(load, refusal) : undefined),
    park: () => undefined,
    beforeParking: async () => {},
  };
  const loads = copies.map((copy): BridgeLoad => {
    const messageId = bridgedId(copy) ?? copy.id;
    const key = bridgeKey(ports.bridge.name, "parked", isMovedBack(copy) ? copy.id : messageId);
    return { key, owner: copy.id, plan: "target", messageId, copy, wire: { body: copy.body, attributes: copy.attributes } };
  });
  const { ended } = await carryToTarget(ports, manner, loads, now);
  const isGone = ({ end }: (typeof ended)[number]): boolean => end === "carried" || end === "duplicate";
  const gone = ended.filter(isGone).map(({ load }) => load.copy);
  const removed = await ports.parked.remove(gone);
  return {
    waiting: ended.filter((one) => !isGone(one)).map(({ load }) => load.copy),
    undeleted: gone.filter((_, index) => !removed[index]),
  };
};

/** A target that is there and refuses one message again and again would keep the bridge off for ever. */
const mostRefusals = 10;
const isHopeless = ({ copy }: BridgeLoad, cause: string): boolean =>
  cause === "too-large" || (cause === "other" && copy.receiveCount >= mostRefusals);
