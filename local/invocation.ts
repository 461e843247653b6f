import { randomUUID } from "node:crypto";
import { setTimeout as wait } from "node:timers/promises";

export interface InvocationContext {
  readonly functionName: string;
  readonly invokedFunctionArn: string;
  readonly awsRequestId: string;
  getRemainingTimeInMillis(): number;
}

interface TimedFunction {
  readonly arn: string;
  readonly name: string;
  readonly timeoutSeconds: number;
}

/** Runs one invocation; one that takes longer than its function's timeout has failed (but can't be killed, as Lambda would). */
export const withinTime = async <T>(definition: TimedFunction, run: (context: InvocationContext) => Promise<T>): Promise<T> => {
  const milliseconds = 1_000 * definition.timeoutSeconds;
  const endsAt = Date.now() + milliseconds;
  const { promise: outOfTime, reject } = Promise.withResolvers<never>();
  const expire = () => reject(new Error(`${definition.name} ran out of its ${definition.timeoutSeconds} seconds`));
  const limit = setTimeout(expire, milliseconds).unref();
  try {
    return await Promise.race([run(contextOf(definition, endsAt)), outOfTime]);
  } finally {
    clearTimeout(limit);
  }
};

const contextOf = (definition: TimedFunction, endsAt: number): InvocationContext => ({
  functionName: definition.name,
  invokedFunctionArn: definition.arn,
  awsRequestId: randomUUID(),
  getRemainingTimeInMillis: () => endsAt - Date.now(),
});

/** Doesn't keep the process alive; rejects when `signal` aborts. */
export const unrefPause = (milliseconds: number, signal: AbortSignal): Promise<void> =>
  wait(milliseconds, undefined, { signal, ref: false });
