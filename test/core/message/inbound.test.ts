import { describe, expect, test } from "vitest";
import { addressesOf } from "../../../core/destination/addresses.ts";
import { destinationOf } from "../../../core/destination/destination.ts";
import { topicBehind } from "../../../core/destination/topic-arn.ts";
import { brokerId, linkId } from "../../../core/ids.ts";
import { decodeInbound } from "../../../core/message/decode.ts";
import { encodeMessage, encodePublish } from "../../../core/message/encode.ts";
import type { Hello } from "../../../core/message/hello.ts";
import { encodeProbe } from "../../../core/message/probe.ts";
import { aMessage, aRecord } from "../../support/a-message.ts";
import { sha256 } from "../../support/hash.ts";
import { aKey } from "../../support/signing.ts";
import { anEnvelope, pricesArn } from "./an-envelope.ts";

const [us, eu, ap] = [brokerId("us"), brokerId("eu"), brokerId("ap")];
const { signer, verify } = aKey("us-1");
const by = { broker: us, signer, hash: sha256 };
const at = addressesOf("orders", { id: us, region: "us-east-1", account: "123456789012" }, sha256);
const topicOf = (arn: string) => topicBehind("orders", at, arn);
const link = linkId(us, "us-eu");
const context = { link, from: us, topicOf, verify, hash: sha256 };

const prices = destinationOf("topic://prices");
const enveloped = (...of: Parameters<typeof anEnvelope>) => aRecord({ body: anEnvelope(...of) });

describe("on inbound, what a peer's dispatch handed over", () => {
  test("keeps its id and gets the sender onto its path", () => {
    const message = aMessage({ id: "far-1", brokerPath: [ap] });
    expect(decodeInbound(aRecord(encodeMessage(message, by)), context)).toEqual({
      arrival: "message",
      ref: "r-1",
      cameBy: link,
      message: { ...message, brokerPath: [ap, us] },
    });
  });

  test("signed with a key not heard of yet, it is given back", () => {
    const wire = encodeMessage(aMessage(), { ...by, signer: { ...signer, kid: "us-2" } });
    expect(decodeInbound(aRecord(wire), context)).toEqual({ arrival: "unknown-key", ref: "r-1", kid: "us-2" });
  });

  test("signed by another broker than the link's, it counts as nobody's", () => {
    const wire = encodeMessage(aMessage(), { ...by, broker: ap });
    expect(decodeInbound(aRecord(wire), context)).toMatchObject({
      arrival: "undecodable",
      why: expect.stringContaining('neither signed by broker "us"'),
    });
  });

  test("unsigned and no envelope, it is undecodable", () => {
    expect(decodeInbound(aRecord({ body: '{"Type":"Notification"}' }), context)).toMatchObject({ arrival: "undecodable" });
  });
});

describe("on inbound, what a peer's topic sent", () => {
  test("a plain SDK's publish has SNS's id and time, the topic as destination and the peer as its path", () => {
    expect(decodeInbound(enveloped({ body: "42", attributes: {} }), context)).toEqual({
      arrival: "message",
      ref: "r-1",
      cameBy: link,
      message: aMessage({ id: "sns-1", destination: prices, body: { type: "text", text: "42" }, brokerPath: [us], timestamp: 4_000 }),
    });
  });

  test("an envelope without a time takes the transport's", () => {
    const arrival = decodeInbound(enveloped({ body: "42", attributes: {} }, { Timestamp: undefined }), context);
    expect(arrival).toMatchObject({ message: { timestamp: 5_000 } });
  });

  test("our client's publish keeps its headers, but its hop fields count for nothing", () => {
    const wire = encodePublish({ destination: prices, body: { type: "text", text: "42" }, correlationId: "c", timestamp: 7 });
    expect(decodeInbound(enveloped(wire), context)).toMatchObject({
      message: { id: "sns-1", destination: prices, brokerPath: [us], correlationId: "c", timestamp: 7 },
    });
  });

  test("a broker's publish keeps id, path and original destination", () => {
    const message = aMessage({
      id: "far-1",
      destination: prices,
      originalDestination: destinationOf("queue://a,topic://prices"),
      brokerPath: [ap],
    });
    expect(decodeInbound(enveloped(encodeMessage(message, by)), context)).toMatchObject({ message: { ...message, brokerPath: [ap, us] } });
  });

  test("a key not heard of yet gives it back, inside an envelope too", () => {
    const wire = encodeMessage(aMessage({ destination: prices }), { ...by, signer: { ...signer, kid: "us-2" } });
    expect(decodeInbound(enveloped(wire), context)).toMatchObject({ arrival: "unknown-key", kid: "us-2" });
  });

  test.for([
    { rule: "a topic of another broker", fields: { TopicArn: pricesArn.replace("-us-t-", "-eu-t-") }, why: /is no topic of this link/ },
    { rule: "an envelope of another type", fields: { Type: "UnsubscribeConfirmation" }, why: /nor an SNS envelope/ },
    { rule: "a time that is none", fields: { Timestamp: "yesterday" }, why: /nor an SNS envelope/ },
  ])("$rule is undecodable", ({ fields, why }) => {
    expect(decodeInbound(enveloped({ body: "42", attributes: {} }, fields), context)).toMatchObject({
      arrival: "undecodable",
      why: expect.stringMatching(why),
    });
  });

  test("a confirmation of a topic of the link carries its token", () => {
    const record = enveloped({ body: "You have chosen to subscribe", attributes: {} }, { Type: "SubscriptionConfirmation", Token: "t" });
    expect(decodeInbound(record, context)).toEqual({ arrival: "confirmation", ref: "r-1", topicArn: pricesArn, token: "t" });
  });

  test("a confirmation of any other topic is undecodable", () => {
    const record = enveloped(
      { body: "", attributes: {} },
      { Type: "SubscriptionConfirmation", Token: "t", TopicArn: "arn:aws:sns:us-east-1:1:evil" },
    );
    expect(decodeInbound(record, context)).toMatchObject({ arrival: "undecodable", why: expect.stringContaining("evil") });
  });
});

describe("a probe", () => {
  const hello: Hello = {
    link,
    from: us,
    to: eu,
    digest: "d",
    advisoryFilter: ["queue://>"],
    keys: [{ kid: "us-1", key: "k" }],
    counter: 9,
  };

  test("crosses as it was said", () => {
    expect(decodeInbound(aRecord(encodeProbe(hello)), context)).toEqual({ arrival: "probe", ref: "r-1", hello });
  });

  test("of another link is undecodable", () => {
    const other = encodeProbe({ ...hello, link: linkId(us, "other") });
    expect(decodeInbound(aRecord(other), context)).toMatchObject({ arrival: "undecodable", why: expect.stringContaining("us:other") });
  });

  test("that says too little is undecodable and names what is missing", () => {
    const { digest: _, ...rest } = hello;
    const record = aRecord({ ...encodeProbe(hello), body: JSON.stringify(rest) });
    expect(decodeInbound(record, context)).toMatchObject({ arrival: "undecodable", why: expect.stringContaining("digest") });
  });

  test("of a newer version may say more", () => {
    const record = aRecord({ ...encodeProbe(hello), body: JSON.stringify({ ...hello, mood: "fine" }) });
    expect(decodeInbound(record, context)).toMatchObject({ arrival: "probe", hello });
  });
});
