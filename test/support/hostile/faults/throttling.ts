import type { Service } from "../call.ts";
import type { Fault } from "../fault.ts";
import { refusal } from "../refusal.ts";

const words: Record<Service, readonly [code: string, status: number]> = {
  sqs: ["RequestThrottled", 400],
  sns: ["Throttling", 400],
  dynamodb: ["ThrottlingException", 400],
  ssm: ["ThrottlingException", 400],
  lambda: ["TooManyRequestsException", 429],
};

/** The call isn't done, and the service says so. */
export const throttling: Fault =
  ({ strikes }) =>
  async (call, next) => {
    if (!strikes(call)) return next(call);
    const [code, status] = words[call.service];
    return refusal(call, code, "Rate exceeded", status);
  };
