import { describe, expect, test } from "vitest";
import { destinationOf } from "../../../core/destination/destination.ts";
import { asDeadLetter, deadLetterOf } from "../../../core/message/dead-letter.ts";
import { isXmlLegal } from "../../../core/message/text.ts";
import { aMessage } from "../../support/a-message.ts";

const text = (value: string) => ({ type: "String", value });
const reason = { reason: "undecodable", why: "no destination \ufffe", destination: "ingress" };

describe("a dead letter", () => {
  test("is the message as it came, with its reason", () => {
    const { body, attributes } = deadLetterOf({ body: "hello", attributes: { a: text("1"), "SpanMQ.from": text("us") } }, reason);
    expect(body).toBe("hello");
    expect(attributes).toEqual({ a: text("1"), "SpanMQ.deadLetter": { type: "String", value: expect.any(String) } });
    expect(JSON.parse(attributes["SpanMQ.deadLetter"]?.value ?? "")).toEqual(reason);
    expect(isXmlLegal(attributes["SpanMQ.deadLetter"]?.value ?? "")).toBe(true);
  });

  test("has no more attributes than SQS takes", () => {
    const ten = Object.fromEntries(Array.from({ length: 10 }, (_, i) => [`n${i}`, text("x")]));
    expect(Object.keys(deadLetterOf({ body: "hello", attributes: ten }, reason).attributes)).toHaveLength(10);
  });

  test("is never empty, which SQS would refuse", () => {
    expect(deadLetterOf({ body: "", attributes: {} }, reason).body).not.toBe("");
  });
});

describe("FWD-8: a message in a destination for dead letters", () => {
  const [orders, dlq] = [destinationOf("queue://orders"), destinationOf("queue://ActiveMQ.DLQ")];
  const buried = (fields: object) => asDeadLetter(aMessage({ id: "m", destination: orders, expiration: 5, ...fields }), dlq, "expired", 0);

  test("says what it was, and why it is there", () => {
    expect(buried({ properties: { kind: { type: "string", value: "test" } } })).toMatchObject({
      ...{ id: "m", destination: dlq, originalDestination: orders, expiration: 0, deliveryMode: "PERSISTENT" },
      properties: {
        kind: { type: "string", value: "test" },
        dlqDeliveryFailureCause: { type: "string", value: "expired" },
        originalExpiration: { type: "long", value: "5" },
      },
    });
  });

  test("names its delivery mode only if that was changed", () => {
    expect(buried({}).properties).not.toHaveProperty("originalDeliveryMode");
    expect(buried({ deliveryMode: "NON_PERSISTENT" }).properties).toMatchObject({ originalDeliveryMode: { value: "NON_PERSISTENT" } });
  });
});
