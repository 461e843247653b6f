import type { SQSMessageAttribute, SQSRecord } from "aws-lambda";
import type { NativeAttribute, TransportRecord } from "../core/message/message.ts";
import { orderOf } from "./wire.ts";

/** A record of a Lambda event as the core takes it. */
export const toTransportRecord = ({ messageId, body, messageAttributes, attributes }: SQSRecord): TransportRecord => ({
  ref: messageId,
  id: messageId,
  body,
  attributes: Object.fromEntries(Object.entries(messageAttributes).map(([name, attribute]) => [name, toAttribute(attribute)])),
  sentAt: Number(attributes.SentTimestamp),
  receiveCount: Number(attributes.ApproximateReceiveCount),
  ...orderOf(attributes),
});

const toAttribute = ({ dataType, stringValue, binaryValue }: SQSMessageAttribute): NativeAttribute => ({
  type: dataType,
  value: (dataType.startsWith("Binary") ? binaryValue : stringValue) ?? "",
});
