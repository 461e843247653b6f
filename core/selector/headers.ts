import { destinationKey } from "../destination/destination.ts";
import type { Message } from "../message/message.ts";
import { type Value, valueOfProperty } from "./values.ts";

/** What a selector looks at: a message, and how often it was handed to a consumer, this time included, where that is known. */
export type Selectable = Message & { readonly deliveryCount?: number };

const long = (value: number): Value => ({ type: "long", value: BigInt(value) });
const int = (value: number): Value => ({ type: "int", value });

/** Names with a meaning of their own; a property of that name isn't looked at. */
const headers: ReadonlyMap<string, (message: Selectable) => Value> = new Map<string, (message: Selectable) => Value>([
  ["JMSDestination", ({ originalDestination, destination }) => destinationKey(originalDestination ?? destination)],
  ["JMSReplyTo", ({ replyTo }) => replyTo ?? null],
  ["JMSType", ({ type }) => type ?? null],
  ["JMSDeliveryMode", ({ deliveryMode }) => deliveryMode],
  ["JMSPriority", ({ priority }) => int(priority)],
  ["JMSMessageID", ({ id }) => id],
  ["JMSTimestamp", ({ timestamp }) => long(timestamp)],
  ["JMSCorrelationID", ({ correlationId }) => correlationId ?? null],
  ["JMSExpiration", ({ expiration }) => long(expiration)],
  ["JMSRedelivered", ({ deliveryCount = 1 }) => deliveryCount > 1],
  ["JMSXDeliveryCount", ({ deliveryCount = 1 }) => int(deliveryCount)],
  ["JMSXGroupID", ({ groupId }) => groupId ?? null],
  ["JMSXGroupSeq", ({ groupSequence = 0 }) => int(groupSequence)],
  ["JMSXGroupFirstForConsumer", () => false],
  ["JMSXUserID", ({ userId, properties }) => userId ?? valueOfProperty(properties.JMSXUserID)],
  ["JMSXProducerTXID", () => null],
  ["JMSActiveMQBrokerInTime", () => null],
  ["JMSActiveMQBrokerOutTime", () => null],
  ["JMSActiveMQBrokerPath", ({ brokerPath }) => `[${brokerPath.join(", ")}]`],
]);

export const headerNamed = (name: string): ((message: Selectable) => Value) | undefined => headers.get(name);
