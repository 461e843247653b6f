import { destinationOf } from "../../core/destination/destination.ts";
import type { Message, TransportRecord, WireMessage } from "../../core/message/message.ts";

/** A message that sets only what the test is about. */
export const aMessage = (fields: Partial<Message> = {}): Message => ({
  id: "m-1",
  destination: destinationOf("queue://orders.new"),
  body: { type: "text", text: "hello" },
  brokerPath: [],
  timestamp: 1_000,
  expiration: 0,
  priority: 4,
  deliveryMode: "PERSISTENT",
  properties: {},
  native: {},
  copies: 0,
  ...fields,
});

/** What SQS hands out for a message that was sent. */
export const aRecord = (wire: Partial<WireMessage> = {}): TransportRecord => ({
  body: "hello",
  attributes: {},
  ref: "r-1",
  id: "transport-1",
  sentAt: 5_000,
  receiveCount: 1,
  ...wire,
});
