import { describe, expect, test } from "vitest";
import { destinationOf } from "../../../core/destination/destination.ts";
import { brokerId, linkId } from "../../../core/ids.ts";
import { decodeConsumed, decodeInbound, decodeResting } from "../../../core/message/decode.ts";
import { encodeMessage } from "../../../core/message/encode.ts";
import { aMessage, aRecord } from "../../support/a-message.ts";
import { sha256 } from "../../support/hash.ts";
import { aKey } from "../../support/signing.ts";
import { anEnvelope, pricesArn } from "./an-envelope.ts";

const [us, eu] = [brokerId("us"), brokerId("eu")];
const { signer, verify } = aKey("us-1");
const own = { self: us, verify, hash: sha256 };
const orders = destinationOf("queue://orders.new");
const prices = destinationOf("topic://prices");
const topicOf = (arn: string) => (arn === pricesArn ? prices : undefined);
const plain = { body: "42", attributes: {} };

describe("at a consumer", () => {
  test("a plain message of a queue is of that queue", () => {
    expect(decodeConsumed(aRecord(), { ...own, destination: orders })).toEqual({
      arrival: "message",
      ref: "r-1",
      message: aMessage({ id: "transport-1", timestamp: 5_000 }),
    });
  });

  test("a queue's body that looks like an envelope is a body", () => {
    const body = anEnvelope(plain);
    expect(decodeConsumed(aRecord({ body }), { ...own, destination: orders })).toMatchObject({ message: { body: { text: body } } });
  });

  test("a subscription's envelope is unwrapped, and the topic is its destination", () => {
    const arrival = decodeConsumed(aRecord({ body: anEnvelope(plain) }), { ...own, topicOf });
    expect(arrival).toMatchObject({ message: { id: "sns-1", destination: prices, brokerPath: [], body: { text: "42" } } });
  });

  test("a network message keeps its id and path through the subscription", () => {
    const message = aMessage({ destination: prices, brokerPath: [eu] });
    const body = anEnvelope(encodeMessage(message, { broker: us, signer, hash: sha256 }));
    expect(decodeConsumed(aRecord({ body }), { ...own, topicOf })).toMatchObject({ message });
  });

  test("a copy that dispatch put straight into a client's own queue names its destination", () => {
    const wire = encodeMessage(aMessage({ destination: prices }), { broker: us, signer, hash: sha256 });
    expect(decodeConsumed(aRecord(wire), { ...own, topicOf })).toMatchObject({ message: { id: "m-1", destination: prices } });
  });

  test("such a copy's body is its body, even one that looks like an envelope", () => {
    const body = anEnvelope(plain);
    const wire = encodeMessage(aMessage({ body: { type: "text", text: body } }), { broker: us, signer, hash: sha256 });
    expect(decodeConsumed(aRecord(wire), { ...own, topicOf })).toMatchObject({ message: { id: "m-1", body: { text: body } } });
  });

  test("an envelope's topic says more than the pattern it was subscribed by", () => {
    const arrival = decodeConsumed(aRecord({ body: anEnvelope(plain) }), { ...own, topicOf, destination: destinationOf("topic://>") });
    expect(arrival).toMatchObject({ message: { destination: prices } });
  });

  test("a stray message in a client's own queue is undecodable", () => {
    expect(decodeConsumed(aRecord(), { ...own, topicOf })).toMatchObject({ arrival: "undecodable" });
  });

  test("an envelope of a foreign topic is no envelope", () => {
    const body = anEnvelope(plain, { TopicArn: "arn:aws:sns:us-east-1:1:evil" });
    expect(decodeConsumed(aRecord({ body }), { ...own, topicOf })).toMatchObject({ arrival: "undecodable" });
  });
});

describe("C02: the same message by raw and by envelope delivery", () => {
  const attributes = {
    colour: { type: "String", value: "red" },
    size: { type: "Number", value: "42" },
    raw: { type: "Binary", value: "AAEC" },
    tags: { type: "String.Array", value: '["a","b"]' },
  };
  const published = { body: "42", attributes };
  const same = { destination: prices, body: { type: "text", text: "42" }, native: attributes, properties: {} };

  test.for([
    { way: "raw, at a consumer", arrival: decodeConsumed(aRecord(published), { ...own, destination: prices }) },
    { way: "enveloped, at a consumer", arrival: decodeConsumed(aRecord({ body: anEnvelope(published) }), { ...own, topicOf }) },
    { way: "resting in a queue", arrival: decodeResting(aRecord(published), prices, own) },
    {
      way: "across a link",
      arrival: decodeInbound(aRecord({ body: anEnvelope(published) }), { link: linkId(eu, "l"), from: eu, topicOf, verify, hash: sha256 }),
    },
  ])("$way", ({ arrival }) => {
    expect(arrival).toMatchObject({ arrival: "message", message: same });
  });
});
