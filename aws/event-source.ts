import { type LambdaClient, ListEventSourceMappingsCommand, UpdateEventSourceMappingCommand } from "@aws-sdk/client-lambda";
import type { EventSource } from "../core/jms-bridge/ports.ts";

export interface EventSourceOptions {
  readonly lambda: LambdaClient;
  readonly functionName: string;
  readonly queueArn: string;
}

const states = { on: ["Enabled", "Enabling"], off: ["Disabled", "Disabling"] };

/** The mapping from a queue to a function, found by both: its own id isn't known when the function's environment is written. */
export const lambdaEventSource = ({ lambda, functionName, queueArn }: EventSourceOptions): EventSource => {
  const turn = async (to: "on" | "off"): Promise<boolean> => {
    const { EventSourceMappings: [mapping] = [] } = await lambda.send(
      new ListEventSourceMappingsCommand({ FunctionName: functionName, EventSourceArn: queueArn }),
    );
    if (!mapping) return false;
    if (!states[to].includes(mapping.State ?? ""))
      await lambda.send(new UpdateEventSourceMappingCommand({ UUID: mapping.UUID, Enabled: to === "on" }));
    return true;
  };
  // Lambda refuses while it switches the other way, and has few calls a second for everybody.
  return { turn: (to) => turn(to).catch(() => false) };
};
