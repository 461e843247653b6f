import { describe, expect, test } from "vitest";
import { destinationOf } from "../../../core/destination/destination.ts";
import { brokerId } from "../../../core/ids.ts";
import { decodeConsumed, decodeResting } from "../../../core/message/decode.ts";
import { encodeMessage } from "../../../core/message/encode.ts";
import type { WireMessage } from "../../../core/message/message.ts";
import { signHops } from "../../../core/message/signature.ts";
import { aMessage, aRecord } from "../../support/a-message.ts";
import { sha256 } from "../../support/hash.ts";
import { aKey } from "../../support/signing.ts";

const [us, eu] = [brokerId("us"), brokerId("eu")];
const { signer, verify } = aKey("us-1");
const own = { self: us, verify, hash: sha256 };
const by = { broker: us, signer, hash: sha256 };
const queue = destinationOf("queue://orders.new");

const sent = aMessage({ id: "far-1", brokerPath: [eu], correlationId: "c", copies: 3, originalDestination: destinationOf("queue://a,b") });
const wire = encodeMessage(sent, by);
const header = JSON.parse(wire.attributes.SpanMQ?.value ?? "");
const withHeader = (fields: object, body = wire.body): WireMessage => ({
  body,
  attributes: { ...wire.attributes, SpanMQ: { type: "String", value: JSON.stringify({ ...header, ...fields }) } },
});

describe("hop fields", () => {
  test("count if the broker that holds the message signed them", () => {
    expect(decodeResting(aRecord(wire), queue, own)).toMatchObject({ message: sent });
  });

  test.for([
    { changed: "id", tampered: withHeader({ id: "other" }) },
    { changed: "path", tampered: withHeader({ path: [] }) },
    { changed: "sender", tampered: withHeader({ from: "eu" }) },
    { changed: "destination", tampered: withHeader({ destination: "queue://other" }) },
    { changed: "original destination", tampered: withHeader({ originalDestination: "queue://other" }) },
    { changed: "version", tampered: withHeader({ v: 2 }) },
    { changed: "body", tampered: { ...wire, body: "bye" } },
    { changed: "content marker", tampered: withHeader({ content: "empty-text" }) },
    { changed: "signature", tampered: withHeader({ sig: "AAAA" }) },
    { changed: "signature, taken away", tampered: withHeader({ sig: undefined }) },
  ])("a changed $changed makes the message fresh, with the transport's id", ({ tampered }) => {
    const arrival = decodeResting(aRecord(tampered), queue, own);
    expect(arrival).toMatchObject({ message: { id: "transport-1", brokerPath: [], copies: 0, destination: queue, correlationId: "c" } });
    expect(arrival).not.toHaveProperty("message.originalDestination");
  });

  test("a message moved into another queue goes where that queue says and keeps its id", () => {
    const other = destinationOf("queue://other");
    expect(decodeResting(aRecord(wire), other, own)).toMatchObject({ message: { id: "far-1", destination: other } });
  });

  test("a key not known gives a resting message back; a consumer gets it as a fresh one", () => {
    const unknown = aRecord(encodeMessage(sent, { ...by, signer: { ...signer, kid: "us-2" } }));
    expect(decodeResting(unknown, queue, own)).toEqual({ arrival: "unknown-key", ref: "r-1", kid: "us-2" });
    expect(decodeConsumed(unknown, { ...own, destination: queue })).toMatchObject({ message: { id: "transport-1", destination: queue } });
  });
});

describe("two versions of the wire format", () => {
  const newer = (fields: object): WireMessage => {
    const { id, from, path, destination } = header;
    return withHeader({
      originalDestination: undefined,
      ...signHops([{ hop: { v: 2, id, from, path, destination }, body: wire.body }], signer, sha256)[0],
      ...fields,
    });
  };

  test("a newer message that we still understand is read, what it adds is ignored", () => {
    const arrival = decodeResting(aRecord(newer({ min: 1, mood: "fine" })), queue, own);
    expect(arrival).toMatchObject({ message: { id: "far-1", brokerPath: [eu] } });
  });

  test("one that needs a newer reader says to update this broker", () => {
    expect(decodeResting(aRecord(newer({ min: 2, priority: { any: "shape" } })), queue, own)).toMatchObject({
      arrival: "undecodable",
      why: "the sender's wire format needs version 2, this broker knows 1: update this broker",
    });
  });

  test("the signed text of version 1 never changes: a peer of last year must still verify it", () => {
    const hop = { v: 1, id: "m", from: us, path: [eu], destination: "queue://a" };
    const signed: string[] = [];
    const sign = (texts: readonly string[]) => texts.map((text) => `${signed.push(text)}`);
    signHops([{ hop, body: "hello" }], { kid: "k", sign }, () => "digest");
    expect(signed).toEqual(['["SpanMQ",1,"m","us",["eu"],"queue://a",null,null,"digest"]']);
  });
});
