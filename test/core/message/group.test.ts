import { describe, expect, test } from "vitest";
import { destinationOf } from "../../../core/destination/destination.ts";
import { brokerId } from "../../../core/ids.ts";
import { decodeConsumed, decodeIngress, decodeResting } from "../../../core/message/decode.ts";
import { encodeMessage } from "../../../core/message/encode.ts";
import { groupOf, sharedGroupOf } from "../../../core/message/group.ts";
import { aMessage, aRecord } from "../../support/a-message.ts";
import { sha256 } from "../../support/hash.ts";
import { aKey } from "../../support/signing.ts";
import { anEnvelope, pricesArn } from "./an-envelope.ts";

const orders = destinationOf("queue://orders.fifo");
const prices = destinationOf("topic://prices");
const { signer, verify } = aKey("us-1");
const own = { self: brokerId("us"), verify, hash: sha256 };
const to = (value: string) => ({ destination: { type: "String", value } });
const header = (fields: object) => ({ ...to("orders.fifo"), SpanMQ: { type: "String", value: JSON.stringify({ v: 1, ...fields }) } });

describe("the group of a message", () => {
  test.for([
    { rule: "is its JMSXGroupID", groupId: "g7", group: "g7" },
    { rule: "is its destination's where it has none", groupId: undefined, group: "queue://orders.fifo" },
    { rule: "is its destination's where it is empty", groupId: "", group: "queue://orders.fifo" },
    { rule: "is a hash where SQS wouldn't take it", groupId: "über alles", group: sha256("über alles") },
    { rule: "is a hash where it is too long", groupId: "g".repeat(129), group: sha256("g".repeat(129)) },
  ])("$rule", ({ groupId, group }) => {
    expect(groupOf({ destination: orders, ...(groupId !== undefined && { groupId }) }, sha256)).toBe(group);
  });

  test("on a queue that destinations share is another one for each of them", () => {
    const shared = ["queue://a.fifo", "queue://b.fifo"].map((text) =>
      sharedGroupOf({ destination: destinationOf(text), groupId: "g" }, sha256),
    );
    expect(new Set(shared).size).toBe(2);
  });
});

describe("what came by a FIFO queue", () => {
  test.for([
    { rule: "from a plain SDK has its transport's group", attributes: to("orders.fifo"), groupId: "g7" },
    { rule: "with a header has the one that its header names", attributes: header({ groupId: "mine" }), groupId: "mine" },
    { rule: "with a header that names none has none", attributes: header({}), groupId: undefined },
  ])("$rule", ({ attributes, groupId }) => {
    const record = { ...aRecord({ attributes }), group: "g7" };
    for (const arrival of [decodeIngress(record, own), decodeResting(record, orders, own)])
      expect(arrival.arrival === "message" && arrival.message.groupId).toBe(groupId);
  });

  test("in an envelope has its topic's group, if what is inside has no header", () => {
    const topicOf = (arn: string) => (arn === pricesArn ? prices : undefined);
    const grouped = (body: string) => decodeConsumed({ ...aRecord({ body }), group: "g7" }, { ...own, topicOf });
    expect(grouped(anEnvelope({ body: "42", attributes: {} }))).toMatchObject({ message: { groupId: "g7" } });
    const ours = encodeMessage(aMessage({ destination: prices }), { broker: own.self, signer, hash: sha256 });
    expect(grouped(anEnvelope(ours))).not.toHaveProperty("message.groupId");
  });
});
