import type { SQSEvent, SQSMessageAttribute, SQSRecord } from "aws-lambda";
import type { PolledAttribute, PolledMessage } from "./polled-queue.ts";

/** Received messages as Lambda hands them to a function. */
export const sqsEvent = (messages: readonly PolledMessage[], queueArn: string): SQSEvent => ({
  Records: messages.map((message) => sqsRecord(message, queueArn)),
});

const sqsRecord = (message: PolledMessage, queueArn: string): SQSRecord => ({
  messageId: message.MessageId,
  receiptHandle: message.ReceiptHandle,
  body: message.Body,
  attributes: message.Attributes as unknown as SQSRecord["attributes"],
  messageAttributes: Object.fromEntries(Object.entries(message.MessageAttributes ?? {}).map(([name, value]) => [name, attribute(value)])),
  md5OfBody: message.MD5OfBody,
  ...(message.MD5OfMessageAttributes && { md5OfMessageAttributes: message.MD5OfMessageAttributes }),
  eventSource: "aws:sqs",
  eventSourceARN: queueArn,
  awsRegion: queueArn.split(":")[3] ?? "",
});

const attribute = ({ DataType, StringValue, BinaryValue }: PolledAttribute): SQSMessageAttribute => ({
  ...(StringValue !== undefined && { stringValue: StringValue }),
  ...(BinaryValue !== undefined && { binaryValue: BinaryValue }),
  stringListValues: [],
  binaryListValues: [],
  dataType: DataType,
});
