import { headerAttribute, textOf } from "../message/attributes.ts";
import { parseHeader } from "../message/header.ts";
import type { Hash, Message, PropertyValue, WireMessage } from "../message/message.ts";
import type { JmsBridge } from "./jms-bridge.ts";

/** The name in the code of Artemis; its manual writes `ACTIVEMQ_BRIDGE_MSG_ID_LIST`. */
const messageIdList = "AMQ_BRIDGE_MSG_ID_LIST";

/**
 * The message as the target gets it: body, headers and properties stay; destination, time and JMSMessageID are new, and no broker has
 * seen it. The id is made of bridge and source id: new to the reader, the same on every retry.
 */
export const bridged = (
  { originalDestination: _, ...message }: Message,
  { name, target, addMessageIDInHeader }: JmsBridge,
  hash: Hash,
  now: number,
): Message => ({
  ...message,
  id: hash(JSON.stringify(["bridge", name, message.id])).slice(0, 32),
  destination: target,
  timestamp: now,
  brokerPath: [],
  copies: 0,
  properties: addMessageIDInHeader ? withIdInList(message) : message.properties,
});

/** The id that the bridge gave to what it parked: two copies of one message have the same. */
export const bridgedId = ({ attributes }: WireMessage): string | undefined => {
  const header = parseHeader(textOf(attributes, headerAttribute) ?? "");
  return "fault" in header ? undefined : header.id;
};

/** Oldest first, without spaces. */
const withIdInList = ({ id, properties }: Pick<Message, "id" | "properties">): Readonly<Record<string, PropertyValue>> => {
  const before = properties[messageIdList];
  const value = before?.type === "string" ? `${before.value},${id}` : id;
  return { ...properties, [messageIdList]: { type: "string", value } };
};
