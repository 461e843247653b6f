import { InvokeCommand, type LambdaClient } from "@aws-sdk/client-lambda";
import type { Passes } from "../core/ports.ts";

/** Invokes the function asynchronously with the order as its event. */
export const lambdaPasses = (lambda: LambdaClient, functionName: string): Passes => ({
  start: async (order) => {
    await lambda.send(new InvokeCommand({ FunctionName: functionName, InvocationType: "Event", Payload: JSON.stringify(order) }));
  },
});
