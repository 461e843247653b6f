import { partsOf } from "../core/destination/composite.ts";
import { type Destination, describeDestinationFault, destinationKey, parseDestination } from "../core/destination/destination.ts";
import { isFifo } from "../core/destination/fifo.ts";
import { isPattern } from "../core/destination/filter.ts";
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
  /** JMSXGroupID: what a FIFO destination keeps in order. Its messages without one are a group of their own. */
  readonly groupId?: string;
  /** JMSXGroupSeq. Carried, never ordered by. */
  readonly groupSequence?: number;
  /** JMSXUserID, for who receives it and for selectors. Nobody checks it. */
  readonly userId?: string;
  /** Carried; treated as persistent anyway. @default "PERSISTENT" */
  readonly deliveryMode?: "PERSISTENT" | "NON_PERSISTENT";
}

export const destinationFrom = (text: string, kind: "queue" | "topic"): Destination => {
  const destination = parseDestination(text, kind);
  if ("fault" in destination || partsOf(destination).length === 0)
    throw new SpanMqError(describeDestinationFault({ fault: "empty-destination", text }));
  if (destination.kind !== kind)
    throw new SpanMqError(
      `${text} is no ${kind}: ${kind === "queue" ? "publish and subscribe take topics" : "send and consume take queues"}`,
    );
  return destination;
};

/** By the name, of a composite by the names of all parts. */
export const keepsOrder = (destination: Destination): boolean => partsOf(destination).every(isFifo);

/** Whatever dispatch couldn't read or route is refused here, not in the middle. */
export const outgoing = (destination: Destination, body: string | Uint8Array, options: SendOptions, now: number): ProducerMessage => {
  const { properties = {}, timeToLive = 0, priority, ...fields } = options;
  if (partsOf(destination).some(isPattern))
    throw new SpanMqError(`${destinationKey(destination)} is a pattern: consumers take patterns, a message goes to names`);
  if (partsOf(destination).some(isFifo) && !keepsOrder(destination))
    throw new SpanMqError(
      `${destinationKey(destination)} is FIFO in part, and no door takes both: send to its FIFO destinations by themselves`,
    );
  if (priority !== undefined && !(Number.isInteger(priority) && priority >= 0 && priority <= 9))
    throw new SpanMqError(`priority ${priority} isn't between 0 and 9`);
  if (!Number.isSafeInteger(timeToLive) || timeToLive < 0) throw new SpanMqError(`timeToLive ${timeToLive} isn't whole milliseconds`);
  return {
    destination,
    body: bodyOf(body),
    timestamp: now,
    properties: Object.fromEntries(Object.entries(properties).map(([name, value]) => [name, fitting(name, propertyOf(value))])),
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
      return { type: Object.is(value | 0, value) ? "int" : "double", value };
    default:
      return value ?? { type: "null" };
  }
};

const bits = { byte: 8, short: 16, int: 32, long: 64 } as const;

const fitting = (name: string, property: PropertyValue): PropertyValue => {
  const { type } = property;
  if (type !== "byte" && type !== "short" && type !== "int" && type !== "long") return property;
  const digits = String(property.value);
  if (/^-?\d+$/.test(digits) && BigInt.asIntN(bits[type], BigInt(digits)) === BigInt(digits)) return property;
  throw new SpanMqError(`property ${name}: ${digits} is no ${type}, a whole number of ${bits[type]} bits`);
};
