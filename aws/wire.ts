import type { Message, MessageAttributeValue as SqsAttribute } from "@aws-sdk/client-sqs";
import type { NativeAttributes, TransportRecord, WireMessage } from "../core/message/message.ts";

/** Attributes as SQS and SNS both take them. */
export const toAttributes = (
  attributes: NativeAttributes,
): Record<string, { DataType: string; StringValue?: string; BinaryValue?: Uint8Array }> =>
  Object.fromEntries(
    Object.entries(attributes).map(([name, { type, value }]) => [
      name,
      type.startsWith("Binary") ? { DataType: type, BinaryValue: Buffer.from(value, "base64") } : { DataType: type, StringValue: value },
    ]),
  );

const fromAttribute = ({ DataType = "String", StringValue, BinaryValue }: SqsAttribute) => ({
  type: DataType,
  value: BinaryValue ? Buffer.from(BinaryValue).toString("base64") : (StringValue ?? ""),
});

/** What SQS has to be asked for besides a message's own attributes. */
export const systemAttributes = ["SentTimestamp", "ApproximateReceiveCount", "MessageGroupId", "SequenceNumber"] as const;

/** A message of ReceiveMessage (asked with all attributes) as the core takes it. */
export const toTransportRecord = (message: Message): TransportRecord => ({
  ref: message.MessageId ?? "",
  id: message.MessageId ?? "",
  body: message.Body ?? "",
  attributes: Object.fromEntries(Object.entries(message.MessageAttributes ?? {}).map(([name, value]) => [name, fromAttribute(value)])),
  sentAt: Number(message.Attributes?.SentTimestamp ?? 0),
  receiveCount: Number(message.Attributes?.ApproximateReceiveCount ?? 1),
  ...orderOf(message.Attributes ?? {}),
});

interface OrderAttributes {
  readonly SequenceNumber?: string | undefined;
  readonly MessageGroupId?: string | undefined;
}

/** Standard queues have groups too, for fairness: only a FIFO queue numbers its records. */
export const orderOf = ({ SequenceNumber, MessageGroupId }: OrderAttributes): Pick<TransportRecord, "group"> =>
  SequenceNumber !== undefined && MessageGroupId !== undefined ? { group: MessageGroupId } : {};

/** What the services count against their limits: body, names, types and values, in bytes. */
export const wireBytes = ({ body, attributes }: WireMessage): number =>
  Buffer.byteLength(body) +
  Object.entries(attributes).reduce(
    (sum, [name, { type, value }]) => sum + Buffer.byteLength(name) + Buffer.byteLength(type) + valueBytes(type, value),
    0,
  );

const valueBytes = (type: string, value: string): number => Buffer.byteLength(value, type.startsWith("Binary") ? "base64" : "utf8");
