import type { HandOverAnswer } from "../ports.ts";
import type { LoadAnswer } from "./progress.ts";

export type Refusal = Extract<HandOverAnswer, { readonly answer: "refused" }>;

/**
 * A refusal that proves that the target has nothing of a load. One that was taken over an earlier carrier may have handed over before the
 * target began to refuse; unless it is too large, which it was then too.
 */
export const provenRefusal = (answer: LoadAnswer<unknown>, takenOver: boolean): Refusal | undefined =>
  answer.answer === "refused" && (!takenOver || answer.cause === "too-large") ? answer : undefined;
