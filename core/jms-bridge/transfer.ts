import { bridgeKey } from "../carry/scope.ts";
import { isMovedBack } from "../message/dead-letter.ts";
import { decodeConsumed } from "../message/decode.ts";
import type { WireMessage } from "../message/message.ts";
import type { RestingCopy } from "../ports.ts";
import { openBreaker, orderRetry } from "./breaker.ts";
import { bridged } from "./bridged.ts";
import { asDeadLetter, type BridgeLoad, carryToTarget, type Manner } from "./carrying.ts";
import { outcomeOf, type TransferOutcome } from "./outcome.ts";
import type { BridgePorts } from "./ports.ts";

/**
 * One batch from the source: decode all, carry all to the target; what the target doesn't take waits in `undelivered`, so that nothing is
 * given back for the target's sake and no receive is spent on waiting. Answers what to delete and what comes again.
 * Crash window: `carryToTarget`'s; after it, a copy that comes again is dropped as a duplicate, where the quality of service knows any.
 */
export const transfer = async (ports: BridgePorts, copies: readonly RestingCopy[], now: number): Promise<readonly TransferOutcome[]> => {
  const order = { attempt: ports.newAttempt() };
  let ordered: Promise<void> | undefined;
  const ordering = () => (ordered ??= orderRetry(ports, order));
  const manner: Manner = {
    from: ports.sourceQueue,
    mode: ports.bridge.qualityOfServiceMode,
    // An earlier handler may have parked it already: there a copy finds the other.
    withPlan: (load, plan) => parked({ ...load, plan }) ?? { ...load, plan },
    chooseAnew: (load, refusal) => (refusal.cause === "too-large" ? asDeadLetter(load, refusal) : parked(load)),
    park: parked,
    beforeParking: ordering,
  };
  const loads = loadAll(ports, copies, now);
  const { ended, failed } = await carryToTarget(ports, manner, loads, now);
  if (failed) await openBreaker(ports, order, ordering, now);
  return ended.map(outcomeOf);
};

const parked = (load: BridgeLoad): BridgeLoad | undefined => (load.plan === "target" ? { ...load, plan: "undelivered" } : undefined);

const loadAll = ({ bridge, source, hash, encode }: BridgePorts, copies: readonly RestingCopy[], now: number): readonly BridgeLoad[] => {
  const arrived = copies.map((copy) => ({ copy, arrival: decodeConsumed(copy, source) }));
  const messages = arrived.flatMap(({ arrival }) => (arrival.arrival === "message" ? [bridged(arrival.message, bridge, hash, now)] : []));
  const wires = encode(messages).values();
  return arrived.map(({ copy, arrival }) => {
    const taken = (id: string) => ({
      key: bridgeKey(bridge.name, "source", isMovedBack(copy) ? copy.id : id),
      owner: copy.id,
      messageId: id,
      copy,
    });
    if (arrival.arrival === "message") return { ...taken(arrival.message.id), plan: "target", wire: wires.next().value as WireMessage };
    const why = arrival.arrival === "undecodable" ? arrival.why : `a ${arrival.arrival} is no message`;
    return { ...taken(copy.id), plan: "dead-letters", wire: copy, given: { reason: "undecodable", why } };
  });
};
