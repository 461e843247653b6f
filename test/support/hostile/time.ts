import type { Call, Entry, Input } from "./call.ts";
import { withInput } from "./call.ts";

const times = ["VisibilityTimeout", "DelaySeconds", "WaitTimeSeconds", "ReceiveMessageWaitTimeSeconds"] as const;

/** A call to SQS whose seconds pass faster; none of them shrinks to nothing. */
export const faster = (call: Call, timesFaster: number): Call => {
  if (call.service !== "sqs" || timesFaster === 1) return call;
  const shorter = (value: unknown) => (Number(value) > 0 ? Math.max(1, Math.ceil(Number(value) / timesFaster)) : value);
  const within = <T extends object>(parameters: T, as: (value: unknown) => unknown): T => ({
    ...parameters,
    ...Object.fromEntries(times.filter((name) => name in parameters).map((name) => [name, as(parameters[name as keyof T])])),
  });
  const { Attributes, Entries } = call.input;
  const input: Input = {
    ...within(call.input, shorter),
    ...(Attributes && { Attributes: within(Attributes, (value) => String(shorter(value))) }),
    ...(Entries && { Entries: Entries.map((entry: Entry) => within(entry, shorter)) }),
  };
  return withInput(call, input);
};
