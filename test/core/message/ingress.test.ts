import { describe, expect, test } from "vitest";
import { brokerId } from "../../../core/ids.ts";
import { decodeIngress } from "../../../core/message/decode.ts";
import { encodeMessage } from "../../../core/message/encode.ts";
import { aMessage, aRecord } from "../../support/a-message.ts";
import { sha256 } from "../../support/hash.ts";
import { aKey } from "../../support/signing.ts";
import { anEnvelope } from "./an-envelope.ts";

const us = brokerId("us");
const { signer, verify } = aKey("us-1");
const own = { self: us, verify, hash: sha256 };
const text = (value: string) => ({ type: "String", value });

describe("on ingress", () => {
  test("a plain SDK's message is fresh, has the transport's id and time, and goes where its attribute says", () => {
    const record = aRecord({ attributes: { destination: text("queue://orders.new"), colour: text("red") } });
    expect(decodeIngress(record, own)).toEqual({
      arrival: "message",
      ref: "r-1",
      message: aMessage({ id: "transport-1", timestamp: 5_000, native: { colour: text("red") } }),
    });
  });

  test.for([
    { rule: "a destination without a kind is a queue", attributes: { destination: text("orders.new") }, destination: "queue" },
    { rule: "a topic is reached by its prefix", attributes: { destination: text("topic://orders.new") }, destination: "topic" },
    {
      rule: "the attribute wins over the header",
      attributes: { destination: text("topic://orders.new"), SpanMQ: text('{"v":1,"destination":"queue://other"}') },
      destination: "topic",
    },
    {
      rule: "without the attribute the header's destination counts",
      attributes: { SpanMQ: text('{"v":1,"destination":"topic://orders.new"}') },
      destination: "topic",
    },
  ])("$rule", ({ attributes, destination }) => {
    expect(decodeIngress(aRecord({ attributes }), own)).toMatchObject({
      message: { destination: { kind: destination, name: "orders.new" } },
    });
  });

  test("a body that looks like an SNS envelope is a body", () => {
    const body = anEnvelope({ body: "inside", attributes: {} });
    expect(decodeIngress(aRecord({ body, attributes: { destination: text("a") } }), own)).toMatchObject({
      message: { id: "transport-1", body: { type: "text", text: body } },
    });
  });

  test("a producer can't claim an id, a path, copies or an original destination", () => {
    const header = { v: 1, id: "stolen", from: "us", path: ["eu"], copies: 7, originalDestination: "queue://x", priority: 9 };
    const arrival = decodeIngress(aRecord({ attributes: { destination: text("a"), SpanMQ: text(JSON.stringify(header)) } }), own);
    expect(arrival).toMatchObject({ message: { id: "transport-1", brokerPath: [], copies: 0, priority: 9 } });
    expect(arrival).not.toHaveProperty("message.originalDestination");
  });

  test("a dead letter that an operator sends back keeps its id and path", () => {
    const message = aMessage({ brokerPath: [brokerId("eu")] });
    const wire = encodeMessage(message, { broker: us, signer, hash: sha256 });
    const attributes = { ...wire.attributes, "SpanMQ.deadLetter": text('{"reason":"expired"}') };
    expect(decodeIngress(aRecord({ ...wire, attributes }), own)).toMatchObject({ message });
  });

  test.for([
    { rule: "no destination names the attribute to add", attributes: {}, why: /set the message attribute "destination" \(String\)/ },
    {
      rule: "an empty destination shows how to write one",
      attributes: { destination: text("queue://") },
      why: /"queue:\/\/" names no destination/,
    },
    { rule: "a binary destination is none", attributes: { destination: { type: "Binary", value: "YQ==" } }, why: /"destination"/ },
    {
      rule: "a header that isn't JSON is named",
      attributes: { destination: text("a"), SpanMQ: text("{") },
      why: /"SpanMQ" is not one of ours/,
    },
    {
      rule: "a header with a wrong field names it",
      attributes: { destination: text("a"), SpanMQ: text('{"v":1,"priority":"high"}') },
      why: /priority/,
    },
    { rule: "a header without a version is none", attributes: { destination: text("a"), SpanMQ: text("{}") }, why: /at v/ },
    {
      rule: "a property of an unknown type is named",
      attributes: { destination: text("a"), SpanMQ: text('{"v":1,"properties":{"p":["q",1]}}') },
      why: /properties/,
    },
    {
      rule: "properties without names are none",
      attributes: { destination: text("a"), SpanMQ: text('{"v":1,"properties":[]}') },
      why: /properties/,
    },
    {
      rule: "a body that isn't what its header says is told",
      attributes: { destination: text("a"), SpanMQ: text('{"v":1,"content":"base64"}') },
      why: /not the base64/,
    },
  ])("undecodable: $rule", ({ attributes, why }) => {
    expect(decodeIngress(aRecord({ body: "no base64!", attributes }), own)).toMatchObject({
      arrival: "undecodable",
      ref: "r-1",
      why: expect.stringMatching(why),
    });
  });
});
