import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { destinationKey } from "../../../core/destination/destination.ts";
import { brokerId, linkId } from "../../../core/ids.ts";
import type { Arrival } from "../../../core/message/arrival.ts";
import { decodeConsumed, decodeInbound, decodeIngress, decodeResting } from "../../../core/message/decode.ts";
import { encodeMessage, encodeProducer, encodePublish } from "../../../core/message/encode.ts";
import type { Message, WireMessage } from "../../../core/message/message.ts";
import { isXmlLegal } from "../../../core/message/text.ts";
import { aMessage, aRecord } from "../../support/a-message.ts";
import { sha256 } from "../../support/hash.ts";
import { aKey } from "../../support/signing.ts";
import { anyMessage, anyProduced } from "./arbitrary.ts";

const us = brokerId("us");
const key = aKey("us-1");
const by = { broker: us, signer: key.signer, hash: sha256 };
const own = { self: us, verify: key.verify, hash: sha256 };
const link = linkId(us, "us-eu");
const inbound = { link, from: us, verify: key.verify, hash: sha256, topicOf: () => undefined };

const messageIn = (arrival: Arrival): Message => {
  if (arrival.arrival !== "message") throw new Error(JSON.stringify(arrival));
  return arrival.message;
};

/** What AWS refuses, or SNS discards without a word. */
const expectAccepted = ({ body, attributes }: WireMessage) => {
  const texts = [body, ...Object.values(attributes).map(({ value }) => value)];
  expect(texts.every((text) => text !== "" && isXmlLegal(text))).toBe(true);
  expect(Object.keys(attributes).length).toBeLessThanOrEqual(10);
};

describe("a message that a broker sends on", () => {
  test("comes out of a queue as it went in, whatever it holds", () => {
    fc.assert(
      fc.property(anyMessage, (message) => {
        const wire = encodeMessage(message, by);
        expectAccepted(wire);
        expect(messageIn(decodeResting(aRecord(wire), message.destination, own))).toEqual(message);
      }),
      { numRuns: 300 },
    );
  });

  test("comes out of a link as it went in, one broker further on its path", () => {
    fc.assert(
      fc.property(anyMessage, (message) => {
        const arrived = messageIn(decodeInbound(aRecord(encodeMessage(message, by)), inbound));
        expect(arrived).toEqual({ ...message, brokerPath: [...message.brokerPath, us] });
      }),
    );
  });

  test("says whom it came from, for a filter that can't read JSON", () => {
    expect(encodeMessage(aMessage(), by).attributes["SpanMQ.from"]).toEqual({ type: "String", value: "us" });
  });

  test("keeps the body of plain text for everybody to read", () => {
    expect(encodeMessage(aMessage({ body: { type: "text", text: "héllo\n😀" } }), by).body).toBe("héllo\n😀");
  });

  test("leaves eight native attributes outside and carries the rest", () => {
    const native = Object.fromEntries(Array.from({ length: 12 }, (_, i) => [`n${i}`, { type: "Number", value: `${i}` }]));
    const wire = encodeMessage(aMessage({ native }), by);
    expect(Object.keys(wire.attributes)).toEqual(["n0", "n1", "n2", "n3", "n4", "n5", "n6", "n7", "SpanMQ", "SpanMQ.from"]);
    expect(messageIn(decodeResting(aRecord(wire), aMessage().destination, own)).native).toEqual(native);
  });

  test.for([
    { rule: "an empty value", attribute: { type: "String", value: "" } },
    { rule: "an illegal character", attribute: { type: "String", value: "\0" } },
    { rule: "a type that SQS doesn't know", attribute: { type: "Date", value: "1" } },
    { rule: "a name of AWS's own", name: "AWS.TraceId", attribute: { type: "String", value: "1" } },
    { rule: "a name of ours", name: "SpanMQ.mine", attribute: { type: "String", value: "1" } },
    { rule: "a name that SQS refuses", name: "a..b", attribute: { type: "String", value: "1" } },
  ])("carries inside what AWS would refuse outside: $rule", ({ name = "n", attribute }) => {
    const message = aMessage({ native: { [name]: attribute } });
    const wire = encodeMessage(message, by);
    expect(Object.keys(wire.attributes)).toEqual(["SpanMQ", "SpanMQ.from"]);
    expect(messageIn(decodeResting(aRecord(wire), message.destination, own))).toEqual(message);
  });

  test("numbers that JSON lacks survive", () => {
    const values = [Number.NaN, Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY, -0, 0, 5e-324];
    const properties: Message["properties"] = Object.fromEntries(values.map((value, i) => [`p${i}`, { type: "double", value }]));
    const wire = encodeMessage(aMessage({ properties }), by);
    expect(messageIn(decodeResting(aRecord(wire), aMessage().destination, own)).properties).toEqual(properties);
  });

  test("C01: fourteen properties cross a link with their types", () => {
    const properties: Message["properties"] = Object.fromEntries([
      ...Array.from({ length: 12 }, (_, i) => [`p${i}`, { type: "int", value: i }]),
      ["exact", { type: "long", value: "9007199254740993" }],
      ["ratio", { type: "float", value: 0.5 }],
    ]);
    expect(messageIn(decodeInbound(aRecord(encodeMessage(aMessage({ properties }), by)), inbound)).properties).toEqual(properties);
  });

  test("C21: control characters and lone surrogates survive in body and properties, and bytes in any", () => {
    const text = "\0\x1f\ud800 \udfff\ufffe\uffff";
    const bytes = Uint8Array.from({ length: 256 }, (_, i) => i);
    for (const body of [{ type: "text", text } as const, { type: "bytes", bytes } as const]) {
      const message = aMessage({ body, properties: { text: { type: "string", value: text } } });
      const wire = encodeMessage(message, by);
      expectAccepted(wire);
      expect(messageIn(decodeResting(aRecord(wire), message.destination, own))).toEqual(message);
    }
  });

  test("C22: an empty body, an empty property and a null property come back as they were", () => {
    const properties = { p: { type: "string", value: "" }, p2: { type: "null" } } as const;
    for (const body of [{ type: "text", text: "" } as const, { type: "bytes", bytes: new Uint8Array() } as const]) {
      const message = aMessage({ body, properties });
      const wire = encodeMessage(message, by);
      expectAccepted(wire);
      expect(messageIn(decodeResting(aRecord(wire), message.destination, own))).toEqual(message);
    }
  });
});

describe("a producer's message", () => {
  /** As it was made, but that the transport gave it its id, and that what it has to live counts by the transport's clock. */
  const received = <M extends Pick<Message, "expiration" | "timestamp">>(produced: M, { sentAt }: { readonly sentAt: number }) => {
    const expiration = produced.expiration <= 0 ? produced.expiration : Math.max(1, sentAt + produced.expiration - produced.timestamp);
    return { ...produced, expiration, id: "transport-1", brokerPath: [], copies: 0 };
  };

  test("comes through the ingress queue as it was made, with the transport's id", () => {
    fc.assert(
      fc.property(anyProduced, (produced) => {
        const wire = encodeProducer(produced);
        fc.pre(isXmlLegal(destinationKey(produced.destination)));
        expectAccepted(wire);
        expect(messageIn(decodeIngress(aRecord(wire), own))).toEqual(received(produced, aRecord(wire)));
      }),
    );
  });

  test("comes through a queue or topic as it was made, without naming it", () => {
    fc.assert(
      fc.property(anyProduced, (produced) => {
        const wire = encodePublish(produced);
        expectAccepted(wire);
        const consumed = decodeConsumed(aRecord(wire), { ...own, destination: produced.destination });
        expect(messageIn(consumed)).toEqual(received(produced, aRecord(wire)));
      }),
    );
  });

  test("names its destination by the attribute that any SDK can set", () => {
    const wire = encodeProducer({ destination: aMessage().destination, body: { type: "text", text: "hello" } });
    expect(wire.attributes.destination).toEqual({ type: "String", value: "queue://orders.new" });
  });
});
