import type { HandOverAnswer } from "../ports.ts";
import type { LoadAnswer } from "./progress.ts";

export type Refusal = Extract<HandOverAnswer, { readonly answer: "refused" }>;

/**
 * A refusal that proves that the target has nothing of a load. One that was taken over an earlier carrier may have handed over before the
 * target began to refuse; unless it is too large, which it was then too, or its target is gone for good: it would be waited for in vain,
 * and what that had taken has gone on from there. `hasShelter`: a place where it can wait for its target.
 */
export const provenRefusal = (answer: LoadAnswer<unknown>, takenOver: boolean, hasShelter: boolean): Refusal | undefined => {
  if (answer.answer !== "refused") return undefined;
  return !takenOver || answer.cause === "too-large" || (answer.cause === "missing" && !hasShelter) ? answer : undefined;
};
