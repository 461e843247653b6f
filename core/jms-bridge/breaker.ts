import { bridgeKey } from "../carry/scope.ts";
import type { BridgePorts, RetryOrder } from "./ports.ts";

type BreakerPorts = Pick<BridgePorts, "bridge" | "audit" | "eventSource" | "orders">;

/** Seconds until somebody looks again whether the target is back. */
export const retrySeconds = ({ failureRetryInterval }: BridgePorts["bridge"]): number => Math.ceil(failureRetryInterval / 1_000);

export const orderRetry = ({ bridge, orders }: BreakerPorts, order: RetryOrder): Promise<void> => orders.send(order, retrySeconds(bridge));

/**
 * The breaker is a claim: who holds it looks after the target, whoever else wants it comes later. It never ages, since its order
 * comes again until it is answered for.
 */
export const holdsBreaker = async ({ bridge, audit }: BreakerPorts, { attempt }: RetryOrder, now: number): Promise<boolean> => {
  const [answer] = await audit.claim([{ ...breakerOf(bridge), owner: bridge.name, attempt, plan: "target" }], now);
  return answer?.answer === "granted" || (answer?.answer === "found" && answer.record.attempt === attempt);
};

/**
 * The target took nothing: the source is turned off, and an order goes out that turns it on again.
 * Crash window: none: the order was accepted before, and does what wasn't done.
 */
export const openBreaker = async (ports: BreakerPorts, order: RetryOrder, ordering: () => Promise<void>, now: number): Promise<void> => {
  await ordering();
  if (await holdsBreaker(ports, order, now)) await ports.eventSource.turn("off");
};

/**
 * The source is turned on first: dying between the two, or where Lambda or the audit didn't, the order comes again and repeats it. A breaker
 * that nobody's order holds any more would let nobody look again.
 */
export const closeBreaker = async ({ bridge, audit, eventSource }: BreakerPorts, { attempt }: RetryOrder): Promise<boolean> => {
  if (!(await eventSource.turn("on"))) return false;
  const [answer] = await audit.release([{ ...breakerOf(bridge), attempt }]);
  return answer === "released";
};

const breakerOf = ({ name }: BridgePorts["bridge"]) => ({ key: bridgeKey(name, "breaker") });
