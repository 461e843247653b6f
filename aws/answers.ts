import type { HandOverAnswer } from "../core/ports.ts";

type Refusal = Extract<HandOverAnswer, { answer: "refused" }>;
type Cause = Refusal["cause"];

/** What a service says when it did not accept, by the words in its error codes. First match wins. */
const refusals: readonly (readonly [RegExp, Cause])[] = [
  [/NonExistentQueue|QueueDoesNotExist|NotFound/, "missing"],
  [/TooLong|must be shorter than/, "too-large"],
  [/Throttl|TooManyRequests|OverLimit|RequestLimitExceeded/, "throttled"],
  [/Denied|Authorization|InvalidClientTokenId|SignatureDoesNotMatch|UnrecognizedClient|ExpiredToken|Kms|KMS/, "denied"],
];

/** A connection that was never opened, in the operating system's words, the SDK's and our own. */
const neverOpened = /AwsSetupError|ENOTFOUND|ECONNREFUSED|EHOSTUNREACH|ENETUNREACH|EAI_AGAIN|did not establish a connection/;

const causeIn = (words: string): Cause | undefined => refusals.find(([pattern]) => pattern.test(words))?.[1];

/** An entry of a batch's `Failed` list. The service's own fault proves nothing, unless it says why it refused. */
export const answerOfEntry = (code = "", message = "", senderFault = false): HandOverAnswer => {
  const why = `${code}: ${message}`;
  const cause = causeIn(/too long/i.test(message) ? `${code} TooLong` : why);
  if (cause) return { answer: "refused", why, cause };
  return senderFault ? { answer: "refused", why, cause: "other" } : { answer: "silent", why };
};

interface ThrownByTheSdk {
  readonly name?: string;
  readonly code?: string;
  readonly message?: string;
  readonly cause?: ThrownByTheSdk;
  readonly $fault?: "client" | "server";
  readonly $metadata?: { readonly attempts?: number };
}

/** What a failed call proves. A refusal of the SDK's repetition proves nothing: the first attempt may have been accepted, its answer lost. */
export const answerOfError = (thrown: unknown): HandOverAnswer => {
  const answer = lastAnswerOf(thrown);
  const { attempts = 1 } = (thrown as ThrownByTheSdk).$metadata ?? {};
  if (answer.answer !== "refused" || answer.cause === "too-large" || attempts === 1) return answer;
  return { answer: "silent", why: `${answer.why} (attempt ${attempts})` };
};

const lastAnswerOf = (thrown: unknown): HandOverAnswer => {
  const error = thrown as ThrownByTheSdk;
  const why = `${error.name ?? "Error"}: ${error.message ?? String(thrown)}`;
  const words = `${why} ${error.code ?? ""} ${error.cause?.code ?? ""}`;
  if (neverOpened.test(words)) return { answer: "refused", why, cause: "other" };
  if (error.$fault === undefined) return { answer: "silent", why };
  return answerOfEntry(error.name, error.message, error.$fault === "client");
};

/** Whether the error says that the thing addressed isn't there. */
export const saysMissing = (thrown: unknown): boolean => {
  const answer = lastAnswerOf(thrown);
  return answer.answer === "refused" && answer.cause === "missing";
};
