import fc from "fast-check";
import { partsOf } from "../../../core/destination/composite.ts";
import { destinationKey, destinationOf } from "../../../core/destination/destination.ts";
import { brokerId } from "../../../core/ids.ts";
import type { Body, Message, NativeAttribute, PropertyValue } from "../../../core/message/message.ts";

/** Any sequence of 16-bit units: controls, lone surrogates, U+FFFE and U+FFFF among them. */
export const anyText = fc.oneof(
  fc.string(),
  fc.string({ unit: fc.integer({ min: 0, max: 0xffff }).map((code) => String.fromCharCode(code)) }),
  fc.string({ unit: fc.constantFrom("\0", "\ud800", "\udc00", "\ufffe", "\uffff", "\r", '"', "é", "😀") }),
);
const name = fc.oneof(anyText, fc.constantFrom("__proto__", "constructor", "toString", "JMSXGroupID", "x-opt-jms-type"));
const integer = (bits: number) => fc.integer({ min: -(2 ** (bits - 1)), max: 2 ** (bits - 1) - 1 });

export const anyProperty: fc.Arbitrary<PropertyValue> = fc.oneof(
  fc.record({ type: fc.constant("boolean" as const), value: fc.boolean() }),
  fc.record({ type: fc.constant("byte" as const), value: integer(8) }),
  fc.record({ type: fc.constant("short" as const), value: integer(16) }),
  fc.record({ type: fc.constant("int" as const), value: integer(32) }),
  fc.record({ type: fc.constantFrom("float" as const, "double" as const), value: fc.double() }),
  fc.record({ type: fc.constant("long" as const), value: fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n }).map(String) }),
  fc.record({ type: fc.constant("string" as const), value: anyText }),
  fc.constant({ type: "null" as const }),
);

const native: fc.Arbitrary<NativeAttribute> = fc.record({
  type: fc.constantFrom("String", "Number", "Binary", "String.Array", "Number.float", "Other"),
  value: anyText,
});

const anyBody: fc.Arbitrary<Body> = fc.oneof(
  fc.record({ type: fc.constant("text" as const), text: anyText }),
  fc.record({ type: fc.constant("bytes" as const), bytes: fc.uint8Array() }),
);

const anyDestination = fc
  .record({ kind: fc.constantFrom("queue" as const, "topic" as const, "temp-queue" as const, "temp-topic" as const), name: anyText })
  .filter((destination) => destination.name !== "" && destinationOf(destinationKey(destination)).name === destination.name)
  .filter((destination) => partsOf(destination).length > 0);

const natives = fc.dictionary(
  fc.oneof(name, fc.stringMatching(/^[A-Za-z0-9_.-]{1,12}$/), fc.constantFrom("SpanMQ", "destination")),
  native,
  { maxKeys: 14 },
);
const optional = { requiredKeys: [] as never[] };

const jmsHeaders = fc.record(
  {
    correlationId: anyText,
    replyTo: anyText,
    type: anyText,
    groupId: anyText,
    groupSequence: integer(32),
    userId: anyText,
    connection: anyText,
  },
  optional,
);

/** What a producer may set, all of it. */
const fields = fc.record({
  destination: anyDestination,
  body: anyBody,
  timestamp: fc.nat({ max: 4_102_444_800_000 }),
  expiration: fc.nat({ max: 4_102_444_800_000 }),
  priority: fc.integer({ min: 0, max: 9 }),
  deliveryMode: fc.constantFrom("PERSISTENT" as const, "NON_PERSISTENT" as const),
  properties: fc.dictionary(name, anyProperty),
  native: natives,
});
export const anyProduced = fc.tuple(fields, jmsHeaders).map(([required, headers]) => ({ ...required, ...headers }));

const hops = fc.record(
  {
    id: anyText.filter((id) => id !== ""),
    brokerPath: fc.array(fc.stringMatching(/^[a-z0-9]+$/).map(brokerId)),
    copies: fc.nat({ max: 900 }),
    originalDestination: anyDestination,
  },
  { requiredKeys: ["id", "brokerPath", "copies"] },
);
export const anyMessage: fc.Arbitrary<Message> = fc.tuple(anyProduced, hops).map(([produced, hop]) => ({ ...produced, ...hop }));
