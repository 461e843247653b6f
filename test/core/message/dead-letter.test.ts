import { describe, expect, test } from "vitest";
import { deadLetterOf } from "../../../core/message/dead-letter.ts";
import { isXmlLegal } from "../../../core/message/text.ts";

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
