import type { Message } from "../message/message.ts";
import { compileSelector } from "../selector/compile.ts";
import type { ConsumerSpec } from "./presence.ts";

/**
 * Is a message in a subscriber's own queue for it (spec SEL-21)? SNS may let more pass than its selector, and knows nothing of connections.
 * What is in a queue consumer's, routing has chosen.
 */
export const isFor = ({ selector, noLocal }: ConsumerSpec, connection: string, message: Message): boolean => {
  if (message.destination.kind !== "topic") return true;
  if (noLocal && message.connection === connection) return false;
  return selector === undefined || compileSelector(selector)(message);
};
