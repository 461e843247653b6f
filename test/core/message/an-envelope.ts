import type { NativeAttributes, WireMessage } from "../../../core/message/message.ts";

export const pricesArn = "arn:aws:sns:us-east-1:123456789012:spanmq-orders-us-t-prices";

/** What SNS puts into a queue that subscribes without raw delivery. */
export const anEnvelope = ({ body, attributes }: WireMessage, fields: Readonly<Record<string, unknown>> = {}): string =>
  JSON.stringify({
    Type: "Notification",
    MessageId: "sns-1",
    TopicArn: pricesArn,
    Message: body,
    Timestamp: "1970-01-01T00:00:04.000Z",
    SignatureVersion: "1",
    UnsubscribeURL: "https://sns.us-east-1.amazonaws.com/?Action=Unsubscribe",
    ...(Object.keys(attributes).length > 0 && { MessageAttributes: inside(attributes) }),
    ...fields,
  });

const inside = (attributes: NativeAttributes) =>
  Object.fromEntries(Object.entries(attributes).map(([name, { type, value }]) => [name, { Type: type, Value: value }]));
