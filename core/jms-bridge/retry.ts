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
 * source is turned on. An order ends when it found nothing parked, after whoever sent it must have ended and what was taken would be seen again,
 * so that nothing is left alone.
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
    case "emptied":
      if (await closeBreaker(ports, order)) return untilNoneIsHidden(ports);
      await looksOnceMore(ports, order);
      return comesAgain(ports, received, retrySeconds(ports.bridge), clock());
    case "empty":
      if (!(await closeBreaker(ports, order))) return comesAgain(ports, received, retrySeconds(ports.bridge), clock());
      return untilSenderEnded(ports, received, clock());
    case "unfinished":
      await looksOnceMore(ports, order);
      return 0;
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

/** What was handed over and not deleted after all is visible again by then. */
const untilNoneIsHidden = ({ longest }: Pick<BridgePorts, "longest">): number => Math.ceil((2 * longest + margin) / 1_000);

/** An order that comes again sooner may find nothing, and end: another one looks when nothing is hidden. */
const looksOnceMore = (ports: BridgePorts, order: RetryOrder): Promise<void> => ports.orders.send(order, untilNoneIsHidden(ports));

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
): Promise<"empty" | "emptied" | "unfinished" | "target-away"> => {
  if (!(await ports.targets.isThere())) return "target-away";
  let most = 1;
  let end: "empty" | "emptied" = "empty";
  while (mayContinue()) {
    const copies = await ports.parked.receive(most);
    if (copies.length === 0) return end;
    const left = await redrive(ports, copies, clock());
    if (left.length > 0) {
      await ports.parked.giveBack(left);
      return "target-away";
    }
    most = 10;
    end = "emptied";
  }
  return "unfinished";
};

/** Hands parked copies over as they are, and deletes them. Answers those that stay. */
const redrive = async (ports: BridgePorts, copies: readonly RestingCopy[], now: number): Promise<readonly RestingCopy[]> => {
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
  // Not deleted after all: it is found again, and dropped as done.
  await ports.parked.remove(ended.filter(isGone).map(({ load }) => load.copy));
  return ended.filter((one) => !isGone(one)).map(({ load }) => load.copy);
};

/** A target that is there and refuses one message again and again would keep the bridge off for ever. */
const mostRefusals = 10;
const isHopeless = ({ copy }: BridgeLoad, cause: string): boolean =>
  cause === "too-large" || (cause === "other" && copy.receiveCount >= mostRefusals);
