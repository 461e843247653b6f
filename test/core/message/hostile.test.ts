import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { destinationOf } from "../../../core/destination/destination.ts";
import { brokerId, linkId } from "../../../core/ids.ts";
import { decodeConsumed, decodeInbound, decodeIngress, decodeResting } from "../../../core/message/decode.ts";
import { encodeMessage } from "../../../core/message/encode.ts";
import type { NativeAttributes, Verify } from "../../../core/message/message.ts";
import { aMessage, aRecord } from "../../support/a-message.ts";
import { sha256 } from "../../support/hash.ts";
import { anyText } from "./arbitrary.ts";

const us = brokerId("us");
const queue = destinationOf("queue://a");
const fields = ["v", "min", "id", "from", "path", "destination", "content", "properties", "native", "kid", "sig", "priority", "type"];
const envelopeFields = ["Type", "MessageId", "TopicArn", "Message", "Timestamp", "MessageAttributes", "Token"];
const anything = fc.oneof(
  fc.jsonValue(),
  fc.constantFrom<unknown>(1, "us", "queue://a", [], {}, "Notification", "SubscriptionConfirmation", "base64"),
);
const looksRight = (keys: readonly string[]) =>
  fc.dictionary(fc.constantFrom(...keys), anything).map((object) => JSON.stringify({ v: 1, ...object }));
const value = fc.oneof(anyText, fc.json(), looksRight(fields));
const body = fc.oneof(anyText, fc.json(), looksRight(envelopeFields), looksRight(["link", "from", "to", "keys", "counter"]));
const attributes: fc.Arbitrary<NativeAttributes> = fc.dictionary(
  fc.oneof(fc.constantFrom("SpanMQ", "SpanMQ.from", "SpanMQ.probe", "destination", "__proto__"), fc.string()),
  fc.record({ type: fc.constantFrom("String", "Number", "Binary"), value }),
);
const signer = { kid: "k", sign: (texts: readonly string[]) => texts.map(() => "s") };

describe("hostile input", () => {
  test.for<{ answer: ReturnType<Verify> }>([{ answer: "valid" }, { answer: "invalid" }, { answer: "unknown-key" }])(
    "is answered, never thrown at, by any door, and what is a message can be sent on ($answer signatures)",
    ({ answer }) => {
      const check = { verify: () => answer, hash: sha256 };
      const doors = [
        (record: ReturnType<typeof aRecord>) => decodeIngress(record, { ...check, self: us }),
        (record: ReturnType<typeof aRecord>) => decodeResting(record, queue, { ...check, self: us }),
        (record: ReturnType<typeof aRecord>) => decodeInbound(record, { ...check, link: linkId(us, "l"), from: us, topicOf: () => queue }),
        (record: ReturnType<typeof aRecord>) => decodeConsumed(record, { ...check, self: us, topicOf: () => queue }),
      ];
      fc.assert(
        fc.property(fc.constantFrom(...doors), body, attributes, (decode, hostile, around) => {
          const arrival = decode(aRecord({ body: hostile, attributes: around }));
          expect(arrival.ref).toBe("r-1");
          if (arrival.arrival === "message") encodeMessage(arrival.message, { broker: us, signer, hash: sha256 });
        }),
        { numRuns: 1_000 },
      );
    },
  );

  test("a property named __proto__ is a property", () => {
    const properties = Object.fromEntries([["__proto__", { type: "int", value: 1 } as const]]);
    const wire = encodeMessage(aMessage({ properties }), { broker: us, signer, hash: sha256 });
    const arrival = decodeResting(aRecord(wire), queue, { self: us, verify: () => "valid", hash: sha256 });
    if (arrival.arrival !== "message") throw new Error(JSON.stringify(arrival));
    expect(Object.entries(arrival.message.properties)).toEqual([["__proto__", { type: "int", value: 1 }]]);
  });
});
