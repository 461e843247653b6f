import type { HandOverAnswer } from "../ports.ts";
import type { Audit } from "./audit.ts";
import type { ClaimKey } from "./claim.ts";

/** A load's answer as its carrier puts it together. `partly`: of several targets some have it for good, `left` is the plan for the others. */
export type LoadAnswer<P> = HandOverAnswer | { readonly answer: "partly"; readonly left: P; readonly why: string };

/** One target of a load: it is done with (it accepted, or needs nothing any more), or not yet. */
export interface Part<T> {
  readonly target: T;
  readonly done: boolean;
  readonly answer: HandOverAnswer;
}

/**
 * What several targets' answers mean for the load under its one claim. While none is done with, they mean what a single target's would: a
 * refusal by all is a refusal, a silence among them proves nothing, and the plan stays whole.
 */
export const joinParts = <T, P>(parts: readonly Part<T>[], planFor: (left: readonly T[]) => P): LoadAnswer<P> => {
  const open = parts.filter(({ done }) => !done);
  const telling = open.find(({ answer }) => answer.answer === "silent") ?? open[0];
  if (!telling) return { answer: "accepted" };
  if (open.length === parts.length) return telling.answer;
  const why = "why" in telling.answer ? telling.answer.why : telling.answer.answer;
  return { answer: "partly", left: planFor(open.map(({ target }) => target)), why };
};

/** One further write, for those alone that got somewhere and not everywhere. */
export const noteProgress = async <P>(
  { progress }: Pick<Audit<P>, "progress">,
  handed: readonly { readonly load: { readonly key: ClaimKey }; readonly attempt: string; readonly answer: LoadAnswer<P> }[],
): Promise<void> => {
  const begun = handed.flatMap(({ load: { key }, attempt, answer }) =>
    answer.answer === "partly" ? [{ key, attempt, left: answer.left }] : [],
  );
  if (begun.length > 0) await progress(begun);
};
