import { destinationKey } from "../core/destination/destination.ts";
import type { Message, NativeAttribute, PropertyValue } from "../core/message/message.ts";

/** A message as a handler gets it. */
export interface ReceivedMessage {
  readonly id: string;
  /** The destination's text, `queue://orders.new`. */
  readonly destination: string;
  /** The body as text; a bytes message's is decoded as UTF-8. */
  readonly text: string;
  readonly bytes: Uint8Array;
  /** Properties with JavaScript's values; a long is a bigint. A plain producer's message attributes are among them, text as text, numbers as numbers. */
  readonly properties: Readonly<Record<string, boolean | number | bigint | string | null>>;
  /** Brokers crossed before this one, the origin first. */
  readonly brokerPath: readonly string[];
  /** JMSXDeliveryCount: how often it was received from this queue, this time included. Looks of the broker and of browsers count, too. */
  readonly deliveryCount: number;
  /** JMSRedelivered: it was received before. */
  readonly redelivered: boolean;
  /** Milliseconds since the epoch. */
  readonly timestamp: number;
  readonly expiration: number;
  readonly priority: number;
  readonly deliveryMode: "PERSISTENT" | "NON_PERSISTENT";
  readonly correlationId?: string;
  readonly replyTo?: string;
  readonly type?: string;
  /** JMSXGroupID and JMSXGroupSeq. */
  readonly groupId?: string;
  readonly groupSequence?: number;
  /** JMSXUserID: who sent it, as the producer says. Nobody checks that. */
  readonly userId?: string;
}

export const receivedMessage = (message: Message, deliveryCount: number): ReceivedMessage => {
  const { id, destination, body, brokerPath, timestamp, expiration, priority, deliveryMode } = message;
  const { correlationId, replyTo, type, groupId, groupSequence, userId } = message;
  const isText = body.type === "text";
  return {
    id,
    destination: destinationKey(destination),
    text: isText ? body.text : new TextDecoder().decode(body.bytes),
    bytes: isText ? new TextEncoder().encode(body.text) : body.bytes,
    properties: { ...mapped(message.native, nativeOf), ...mapped(message.properties, propertyValueOf) },
    brokerPath,
    deliveryCount,
    redelivered: deliveryCount > 1,
    timestamp,
    expiration,
    priority,
    deliveryMode,
    ...(correlationId !== undefined && { correlationId }),
    ...(replyTo !== undefined && { replyTo }),
    ...(type !== undefined && { type }),
    ...(groupId !== undefined && { groupId }),
    ...(groupSequence !== undefined && { groupSequence }),
    ...(userId !== undefined && { userId }),
  };
};

const mapped = <T, V>(entries: Readonly<Record<string, T>>, value: (entry: T) => V): Record<string, V> =>
  Object.fromEntries(Object.entries(entries).map(([name, entry]) => [name, value(entry)]));

const propertyValueOf = (property: PropertyValue) => {
  if (property.type === "null") return null;
  return property.type === "long" ? BigInt(property.value) : property.value;
};

const nativeOf = ({ type, value }: NativeAttribute) => (type.startsWith("Number") ? Number(value) : value);
