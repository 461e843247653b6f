import type { HandOverAnswer } from "../ports.ts";
import type { Audit, ClaimAnswer } from "./audit.ts";
import { type Carried, type Carrier, carry, type Load, type Refusal } from "./carry.ts";
import { judgeClaim } from "./claim.ts";
import type { LoadAnswer } from "./progress.ts";
import { unaudited } from "./unaudited.ts";

/** What an Artemis JMS bridge promises of each message. */
export type QualityOfService = "AT_MOST_ONCE" | "DUPLICATES_OK" | "ONCE_AND_ONLY_ONCE";

export interface OrderedCarrier<P, L extends Load<P>> extends Carrier<P, L> {
  /** Deletes copies at their source, for AT_MOST_ONCE before the hand-over. `true`: this one is surely gone. Never throws for one. */
  remove(loads: readonly L[]): Promise<readonly boolean[]>;
}

export type Ended<P, L extends Load<P>> =
  | Carried<P, L>
  /** It is gone at its source, and its target didn't accept, or didn't say so. AT_MOST_ONCE only. */
  | { readonly end: "lost"; readonly load: L; readonly answer: LoadAnswer<P> };

/**
 * Carries a batch in the order that its quality of service asks; what ended `carried` or `duplicate` is the caller's to delete.
 * Crash windows: ONCE_AND_ONLY_ONCE: `carry`'s. DUPLICATES_OK: between the target's acceptance and the delete the copy comes again and
 * doubles. AT_MOST_ONCE: from the claim on the message is lost, since nobody takes a claim over.
 */
export const carryByQuality = <P, L extends Load<P>>(
  mode: QualityOfService,
  carrier: OrderedCarrier<P, L>,
  loads: readonly L[],
  now: number,
): Promise<readonly Ended<P, L>[]> => {
  switch (mode) {
    case "ONCE_AND_ONLY_ONCE":
      return carry(carrier, loads, now);
    case "DUPLICATES_OK":
      return carry({ ...carrier, audit: unaudited() }, loads, now);
    case "AT_MOST_ONCE":
      return carryAtMostOnce(carrier, loads, now);
    default:
      return mode satisfies never;
  }
};

/** Claim, delete, and hand over only what was surely deleted, to its one target: nothing is parked, nothing goes another way. */
const carryAtMostOnce = async <P, L extends Load<P>>(
  carrier: OrderedCarrier<P, L>,
  loads: readonly L[],
  now: number,
): Promise<readonly Ended<P, L>[]> => {
  const gone = new Set<L>();
  const handOver = async (claimed: readonly L[]): Promise<readonly LoadAnswer<P>[]> => {
    const removed = await carrier.remove(claimed);
    const going = claimed.filter((_, index) => removed[index]);
    for (const load of going) gone.add(load);
    const answers = (going.length > 0 ? await carrier.handOver(going) : []).values();
    return claimed.map((load) => (gone.has(load) ? (answers.next().value ?? noAnswer) : notDeleted));
  };
  const once = { ...carrier, audit: neverTakenOver(carrier.audit, carrier.longest), handOver, chooseAnew: none, park: none };
  const ended = await carry<P, L>(once, loads, now);
  return ended.map((one) => (one.end === "again" && gone.has(one.load) ? { ...one, end: "lost" } : one));
};

const none = () => undefined;
const noAnswer: HandOverAnswer = { answer: "silent", why: "no answer" };
/** It was handed to nobody, so that its claim is released. */
const notDeleted: Refusal = { answer: "refused", cause: "other", why: "not surely deleted at its source" };

/** A claim that somebody died at counts as done: whether he had handed it over is not known. */
const neverTakenOver = <P>(audit: Audit<P>, longest: number): Audit<P> => ({
  ...audit,
  claim: async (claims, now) => {
    const answers = await audit.claim(claims, now);
    return claims.map(({ attempt }, index): ClaimAnswer<P> => {
      const answer = answers[index] ?? { answer: "unknown", why: "no answer" };
      const isOld = answer.answer === "found" && judgeClaim(answer.record, { attempt }, now, longest).verdict === "take-over";
      return isOld ? { answer: "found", record: { ...answer.record, state: "done" } } : answer;
    });
  },
});
