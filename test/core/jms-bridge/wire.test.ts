import { describe, expect, test } from "vitest";
import { destinationOf } from "../../../core/destination/destination.ts";
import { brokerId } from "../../../core/ids.ts";
import { decodeConsumed, decodeIngress } from "../../../core/message/decode.ts";
import { encodeBridged } from "../../../core/message/encode.ts";
import type { WireMessage } from "../../../core/message/message.ts";
import { aMessage, aRecord } from "../../support/a-message.ts";
import { sha256 } from "../../support/hash.ts";
import { aKey } from "../../support/signing.ts";

const [us, eu] = [brokerId("us"), brokerId("eu")];
const { signer, verify } = aKey("k1");
const own = { self: us, hash: sha256, verify };
const sender = { broker: us, signer, hash: sha256 };
const target = destinationOf("queue://orders.audited");
const native = { shop: { type: "String", value: "north" }, destination: { type: "String", value: "the moon" } };
const message = aMessage({ id: "new", destination: target, native });
const bridgedTo = (...[to, by, one = message]: [to: "ingress" | "place", by?: typeof sender, one?: typeof message]) =>
  encodeBridged([one], to, by)[0] as WireMessage;

describe("what a bridge sends to an ingress", () => {
  test("is addressed to the bridge's target, whatever attribute of that name the message had", () => {
    const arrival = decodeIngress(aRecord(bridgedTo("ingress")), own);
    expect(arrival).toMatchObject({ arrival: "message", message: { destination: target, native } });
  });

  test("has the bridge's id where the bridge's broker is the ingress's own: the audit there tells doubles", () => {
    expect(decodeIngress(aRecord(bridgedTo("ingress", sender)), own)).toMatchObject({ message: { id: "new" } });
  });

  test.for([
    {
      rule: "the bridge's",
      of: "a broker whose bridge ends here, and whose key its link has brought",
      owners: [{ broker: us, verify }],
      id: "new",
    },
    {
      rule: "the transport's",
      of: "a broker of which no key is known",
      owners: [{ broker: us, verify: () => "unknown-key" as const }],
      id: "transport-1",
    },
    { rule: "the transport's", of: "a broker whose bridges end elsewhere", owners: [{ broker: eu, verify }], id: "transport-1" },
  ])("has $rule id where it is $of", ({ owners, id }) => {
    const ofEu = { self: eu, hash: sha256, verify: () => "invalid" as const };
    expect(decodeIngress(aRecord(bridgedTo("ingress", sender)), ofEu, owners)).toMatchObject({ message: { id } });
  });

  test("has the transport's id where nobody signed for it", () => {
    expect(decodeIngress(aRecord(bridgedTo("ingress")), own)).toMatchObject({ message: { id: "transport-1" } });
  });

  test("never has more attributes than SQS takes", () => {
    const many = Object.fromEntries(Array.from({ length: 10 }, (_, i) => [`a${i}`, { type: "String", value: "x" }]));
    expect(Object.keys(bridgedTo("ingress", sender, aMessage({ native: many })).attributes)).toHaveLength(10);
  });
});

test("what a bridge sends to a plain place keeps its attributes, and tells its id to who compares it", () => {
  const wire = bridgedTo("place");
  expect(wire.attributes).toMatchObject(native);
  expect(JSON.parse(wire.attributes.SpanMQ?.value ?? "{}")).toMatchObject({ id: "new" });
  expect(decodeConsumed(aRecord(wire), { ...own, destination: target })).toMatchObject({ message: { body: message.body, native } });
});
