import { type Destination, describeDestinationFault, parseDestination } from "../core/destination/destination.ts";
import type { ProducerMessage } from "../core/message/encode.ts";
import type { Body, PropertyValue } from "../core/message/message.ts";
import { SpanMqError } from "./options.ts";

/** A property as JavaScript has it, or with its JMS type (`{ type: "float", value: 1.5 }`). Whole numbers of 32 bits are ints, bigints longs, others doubles. */
export type PropertyInput = boolean | number | bigint | string | null | PropertyValue;

export interface SendOptions {
  readonly properties?: Readonly<Record<string, PropertyInput>>;
  readonly correlationId?: string;
  readonly replyTo?: string;
  readonly type?: string;
  /** 0–9. Carried, never ordered by. @default 4 */
  readonly priority?: number;
  /** Milliseconds to live; 0 is for ever. @default 0 */
  readonly timeToLive?: number;
  /** JMSXGroupID. */
  readonly groupId?: string;
  /** Carried; treated as persistent anyway. @default "PERSISTENT" */
  readonly deliveryMode?: "PERSISTENT" | "NON_PERSISTENT";
}

export const destinationFrom = (text: string, kind: "queue" | "topic"): Destination => {
  const destination = parseDestination(text, kind);
  if ("fault" in destination) throw new SpanMqError(describeDestinationFault(destination));
  if (destination.kind !== kind)
    throw new SpanMqError(
      `${text} is no ${kind}: ${kind === "queue" ? "publish and subscribe take topics" : "send and consume take queues"}`,
    );
  return destination;
};

export const outgoing = (destination: Destination, body: string | Uint8Array, options: SendOptions, now: number): ProducerMessage => {
  const { properties = {}, timeToLive = 0, priority, ...fields } = options;
  if (priority !== undefined && !(Number.isInteger(priority) && priority >= 0 && priority <= 9))
    throw new SpanMqError(`priority ${priority} isn't between 0 and 9`);
  return {
    destination,
    body: bodyOf(body),
    timestamp: now,
    properties: Object.fromEntries(Object.entries(properties).map(([name, value]) => [name, propertyOf(value)])),
    ...(timeToLive > 0 && { expiration: now + timeToLive }),
    ...(priority !== undefined && { priority }),
    ...fields,
  };
};

const bodyOf = (body: string | Uint8Array): Body =>
  typeof body === "string" ? { type: "text", text: body } : { type: "bytes", bytes: body };

const propertyOf = (value: PropertyInput): PropertyValue => {
  switch (typeof value) {
    case "boolean":
      return { type: "boolean", value };
    case "string":
      return { type: "string", value };
    case "bigint":
      return { type: "long", value: String(value) };
    case "number":
      return { type: Number.isInteger(value) && Math.abs(value) < 2 ** 31 ? "int" : "double", value };
    default:
      return value ?? { type: "null" };
  }
};
