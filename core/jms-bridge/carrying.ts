import type { Load, Refusal } from "../carry/carry.ts";
import { carryByQuality, type Ended, type OrderedCarrier, type QualityOfService } from "../carry/quality-of-service.ts";
import { deadLetterOf } from "../message/dead-letter.ts";
import type { WireMessage } from "../message/message.ts";
import type { HandOverAnswer, RestingCopy } from "../ports.ts";
import type { BridgeHandOver, BridgePlan, BridgePorts, TakenFrom } from "./ports.ts";

/** One copy on its way over the bridge. */
export interface BridgeLoad extends Load<BridgePlan> {
  readonly copy: RestingCopy;
  /** The id it had at the source, or here. */
  readonly messageId: string;
  /** What the target gets. */
  readonly wire: WireMessage;
  /** Why it goes to the dead letters, if it does. */
  readonly given?: { readonly reason: "undecodable" | "too-large" | "target-refused"; readonly why: string };
}

/** How copies from the source differ from parked ones. */
export interface Manner extends Pick<OrderedCarrier<BridgePlan, BridgeLoad>, "withPlan" | "chooseAnew" | "park"> {
  readonly from: TakenFrom;
  readonly mode: QualityOfService;
  /** What must be accepted before anything is parked: somebody who looks after it. */
  beforeParking(): Promise<void>;
}

export interface CarriedToTarget {
  readonly ended: readonly Ended<BridgePlan, BridgeLoad>[];
  /** The target took nothing of what it was handed; a message too large for it says nothing of it. */
  readonly failed: boolean;
}

/** Carries copies in the order that the bridge's quality of service asks. Crash windows: `carryByQuality`'s. */
export const carryToTarget = async (
  ports: BridgePorts,
  manner: Manner,
  loads: readonly BridgeLoad[],
  now: number,
): Promise<CarriedToTarget> => {
  const { bridge, targets, audit, newAttempt, longest } = ports;
  const fromTarget: HandOverAnswer[] = [];
  const carrier: OrderedCarrier<BridgePlan, BridgeLoad> = {
    ...manner,
    audit,
    attempt: newAttempt(),
    longest,
    handOver: async (going) => {
      if (going.some(({ plan }) => plan === "undelivered")) await manner.beforeParking();
      const answers = await targets.handOver(going.map((load) => handOverOf(load, bridge.name)));
      fromTarget.push(...answers.filter((_, index) => going[index]?.plan === "target"));
      return answers;
    },
    accepted: async () => {},
    remove: (gone) => manner.from.remove(gone.map(({ copy }) => copy)),
  };
  const ended = await carryByQuality(manner.mode, carrier, loads, now);
  return { ended, failed: fromTarget.some(isFailure) && !fromTarget.some(({ answer }) => answer === "accepted") };
};

const isFailure = (answer: HandOverAnswer): boolean =>
  answer.answer === "silent" || (answer.answer === "refused" && answer.cause !== "too-large");

const handOverOf = ({ plan, wire, copy, given }: BridgeLoad, bridge: string): BridgeHandOver => {
  if (plan !== "dead-letters") return { to: plan, wire };
  const { reason, why } = given ?? { reason: "too-large", why: "another handler of it was told so" };
  return { to: plan, wire: deadLetterOf(copy, { reason, why, destination: `bridge ${bridge}` }) };
};

/** Given up on by verdict: it would be refused for ever. */
export const asDeadLetter = (load: BridgeLoad, { cause, why }: Refusal): BridgeLoad => ({
  ...load,
  plan: "dead-letters",
  given: { reason: cause === "too-large" ? "too-large" : "target-refused", why },
});
