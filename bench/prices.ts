import type { Call } from "./world/recorder.ts";

/** US dollars in us-east-1, as docs/costs.md has them; a call takes up to 64 KB, a batch is one call. */
export const prices = {
  millionSnsPublishes: 0.5,
  millionSqsCalls: 0.4,
  millionFifoCalls: 0.5,
  millionInvocations: 0.2,
  gbSecond: 0.0000133334,
  millionWrites: 0.625,
  millionReads: 0.125,
  transferredGb: 0.02,
} as const;

/** Assumed, not measured: 100 ms of 512 MB for each batch of ten. */
const gbSecondsPerMessage = 0.005;

/** What one message's calls, time and bytes between regions cost a million times. */
export const dollarsPerMillion = (calls: readonly Call[], transferBytes: number, messages: number, isFifo = false): number =>
  calls.reduce((sum, call) => sum + dollarsOfMillion(call, isFifo), 0) / messages +
  1e6 * gbSecondsPerMessage * prices.gbSecond +
  (1e6 * (transferBytes / messages) * prices.transferredGb) / 1e9;

/** DynamoDB bills each row: a batch is settled in one call. */
export const writesOf = ({ service, action, rows = 1 }: Call): number => (service === "dynamodb" && action !== "GetItem" ? rows : 0);

const dollarsOfMillion = (call: Call, isFifo: boolean): number => {
  if (call.service === "sqs") return isFifo ? prices.millionFifoCalls : prices.millionSqsCalls;
  if (call.service === "sns") return prices.millionSnsPublishes;
  if (call.service === "lambda") return prices.millionInvocations;
  return call.action === "GetItem" ? prices.millionReads : writesOf(call) * prices.millionWrites;
};
