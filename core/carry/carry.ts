import type { Audit, Claim, ClaimOf } from "./audit.ts";
import { type ClaimKey, judgeClaim } from "./claim.ts";
import { type LoadAnswer, noteProgress } from "./progress.ts";
import { provenRefusal, type Refusal } from "./refusal.ts";

export type { Refusal };

/** One message on its way to one place. */
export interface Load<P> {
  readonly key: ClaimKey;
  /** Transport id of the copy at hand. */
  readonly owner: string;
  readonly plan: P;
}

/** What became of a load. Only `carried` and `duplicate` copies are deleted at their source. */
export type Carried<P, L extends Load<P>> =
  | { readonly end: "carried"; readonly load: L; readonly answer: LoadAnswer<P>; readonly settled: boolean; readonly takenOver: boolean }
  | { readonly end: "duplicate"; readonly load: L }
  /** Somebody may be at it: look again in `ms`. */
  | { readonly end: "in-progress"; readonly load: L; readonly ms: number }
  /** It comes again: a target refused or was silent, or the audit didn't answer. */
  | { readonly end: "again"; readonly load: L; readonly answer: LoadAnswer<P> };

export interface Carrier<P, L extends Load<P>> {
  readonly audit: Audit<P>;
  /** Random, one per invocation. */
  readonly attempt: string;
  /** Milliseconds that an invocation may run. */
  readonly longest: number;
  handOver(loads: readonly L[]): Promise<readonly LoadAnswer<P>[]>;
  withPlan(load: L, plan: P): L;
  /** Another way for a load whose target proved its refusal; `undefined`: there is none. */
  chooseAnew(load: L, refusal: Refusal): L | undefined;
  /** Where a load waits whose target may or may not have it: with that target's own door, so that it alone judges. `undefined`: it comes again. */
  park(load: L): L | undefined;
  /** After hand-over and before settle: what must be known before a copy is deleted. */
  accepted(loads: readonly L[]): Promise<void>;
}

/**
 * Carries a batch exactly once: claim, hand over, settle; the transport's delete is the caller's, for what ended `carried` or `duplicate`.
 * Crash windows: before the hand-over nothing happened, and the claim's age frees it; between the target's acceptance and settle the copy
 * comes again after that age and follows the stored plan, which the target's own audit ends; after settle the copy is dropped.
 * Of several targets: until what is left is noted, or all is settled, each is handed it again; one without an audit then has it twice.
 */
export const carry = async <P, L extends Load<P>>(
  carrier: Carrier<P, L>,
  loads: readonly L[],
  now: number,
): Promise<readonly Carried<P, L>[]> => {
  const claimed = await claimAll(carrier, loads, now);
  const going = claimed.flatMap((one) => ("going" in one ? [one.going] : []));
  const ended = (await handOverAll(carrier, going, now)).values();
  return claimed.map((one) => ("going" in one ? (ended.next().value as Carried<P, L>) : one));
};

type Claimed<P, L extends Load<P>> = { readonly going: Going<L> } | Carried<P, L>;
interface Going<L> {
  readonly load: L;
  readonly attempt: string;
  readonly takenOver: boolean;
}
type Handed<P, L> = Going<L> & { readonly answer: LoadAnswer<P> };

const claimAll = async <P, L extends Load<P>>(
  { audit, attempt, longest, withPlan }: Carrier<P, L>,
  loads: readonly L[],
  now: number,
): Promise<readonly Claimed<P, L>[]> => {
  if (loads.length === 0) return [];
  // Each load its own attempt: of two copies in one batch the second finds another's claim.
  const claims = loads.map(({ key, owner, plan }, index): Claim<P> => ({ key, owner, attempt: `${attempt}.${index}`, plan }));
  const answers = await audit.claim(claims, now);
  return Promise.all(
    loads.map(async (load, index): Promise<Claimed<P, L>> => {
      const [claim, answer] = [claims[index], answers[index]];
      if (!claim || !answer) return { end: "again", load, answer: { answer: "silent", why: "the audit doesn't answer" } };
      if (answer.answer === "unknown") return { end: "again", load, answer: { answer: "silent", why: `the audit: ${answer.why}` } };
      const ours = { load, attempt: claim.attempt, takenOver: false };
      if (answer.answer === "granted") return { going: ours };
      const { record } = answer;
      const verdict = judgeClaim(record, claim, now, longest);
      switch (verdict.verdict) {
        case "drop":
          return { end: "duplicate", load };
        case "give-back":
          return { end: "in-progress", load, ms: verdict.ms };
        case "ours":
          return { going: ours };
        case "take-over": {
          if ((await audit.takeOver(claim, record, now)) === "lost") return { end: "in-progress", load, ms: longest };
          return { going: { ...ours, load: withPlan(load, record.plan), takenOver: true } };
        }
        default:
          return verdict satisfies never;
      }
    }),
  );
};

const handOverAll = async <P, L extends Load<P>>(
  carrier: Carrier<P, L>,
  going: readonly Going<L>[],
  now: number,
): Promise<readonly Carried<P, L>[]> => {
  if (going.length === 0) return [];
  const { audit, attempt, chooseAnew, park } = carrier;
  const handed = await handOver(carrier, going);
  const refusalOf = ({ load, answer, takenOver }: Handed<P, L>) => provenRefusal(answer, takenOver, park(load) !== undefined);
  const free = handed.filter(refusalOf);
  if (free.length > 0) await audit.release(free.map(claimOf));

  const others = handed.map((one) => {
    const refusal = refusalOf(one);
    return refusal && chooseAnew(one.load, refusal);
  });
  // An attempt of its own: where the release failed, the claim that stands has another plan.
  const anew = { ...carrier, attempt: `${attempt}.anew`, chooseAnew: () => undefined };
  const second = (await carry(anew, others.filter(isThere), now)).values();
  const shelters = handed.map((one) => (isAccepted(one) || free.includes(one) ? undefined : sheltered(one, park(one.load))));
  const parked = (await handOver(carrier, shelters.filter(isThere))).values();

  const reached = handed.map((one, index) => (shelters[index] ? (parked.next().value as Handed<P, L>) : one));
  await noteProgress(audit, reached);
  const settled = (await settleAll(carrier, reached.filter(isAccepted), now)).values();
  return reached.map((one, index): Carried<P, L> => {
    if (others[index]) return second.next().value as Carried<P, L>;
    return isAccepted(one) ? (settled.next().value as Carried<P, L>) : { end: "again", load: one.load, answer: one.answer };
  });
};

const sheltered = <L>(going: Going<L>, load: L | undefined): Going<L> | undefined => load && { ...going, load };

const handOver = async <P, L extends Load<P>>(carrier: Carrier<P, L>, going: readonly Going<L>[]): Promise<readonly Handed<P, L>[]> => {
  if (going.length === 0) return [];
  const answers = await carrier.handOver(going.map(({ load }) => load));
  return going.map((one, index) => ({ ...one, answer: answers[index] ?? { answer: "silent", why: "no answer" } }));
};

const settleAll = async <P, L extends Load<P>>(
  { audit, accepted: note }: Carrier<P, L>,
  accepted: readonly Handed<P, L>[],
  now: number,
): Promise<readonly Carried<P, L>[]> => {
  if (accepted.length === 0) return [];
  await note(accepted.map(({ load }) => load));
  const settled = await audit.settle(accepted.map(claimOf), now);
  return accepted.map(({ attempt: _, ...one }, index) => ({ end: "carried", ...one, settled: settled[index] === "settled" }));
};

const claimOf = ({ load: { key }, attempt }: Going<{ readonly key: ClaimKey }>): ClaimOf => ({ key, attempt });
const isAccepted = ({ answer }: Handed<unknown, unknown>): boolean => answer.answer === "accepted";
const isThere = <T>(value: T | undefined): value is T => value !== undefined;
