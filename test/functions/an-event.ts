import type { Context, SQSEvent, SQSRecord } from "aws-lambda";
import type { TransportRecord } from "../../core/message/message.ts";

const arn = "arn:aws:sqs:us-east-1:000000000000:door";

/** A record as Lambda hands it over. */
export const aSqsRecord = ({ ref, body, attributes, sentAt, receiveCount, group }: TransportRecord, eventSourceARN = arn): SQSRecord => ({
  messageId: ref,
  receiptHandle: `receipt-${ref}`,
  body,
  attributes: {
    ApproximateReceiveCount: String(receiveCount),
    SentTimestamp: String(sentAt),
    SenderId: "s",
    ApproximateFirstReceiveTimestamp: String(sentAt),
    ...(group !== undefined && { MessageGroupId: group, SequenceNumber: "18849496460467696128" }),
  },
  messageAttributes: Object.fromEntries(
    Object.entries(attributes).map(([name, { type, value }]) => [
      name,
      { dataType: type as "String", ...(type.startsWith("Binary") ? { binaryValue: value } : { stringValue: value }) },
    ]),
  ),
  md5OfBody: "",
  eventSource: "aws:sqs",
  eventSourceARN,
  awsRegion: "us-east-1",
});

export const anSqsEvent = (records: readonly TransportRecord[]): SQSEvent => ({ Records: records.map((record) => aSqsRecord(record)) });

/** An invocation with so many milliseconds left. */
export const aContext = (left = 60_000): Context => ({ getRemainingTimeInMillis: () => left }) as Context;

/** Remembers what was given back, and for how long. */
export const rememberingReturns = () => {
  const delayed: { readonly receipt: string; readonly seconds: number }[] = [];
  return {
    delayed,
    delay: async (_door: string, records: readonly { readonly receipt: string; readonly seconds: number }[]) => {
      delayed.push(...records.map(({ receipt, seconds }) => ({ receipt, seconds })));
    },
  };
};
