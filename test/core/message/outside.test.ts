import { describe, expect, test } from "vitest";
import { destinationOf } from "../../../core/destination/destination.ts";
import { encodeProducer, encodePublish } from "../../../core/message/encode.ts";
import type { Message, NativeAttributes, PropertyValue } from "../../../core/message/message.ts";
import { aMessage } from "../../support/a-message.ts";

const prices = destinationOf("topic://prices");
const outside = (fields: Partial<Message>) => {
  const { SpanMQ: _header, ...attributes } = encodePublish(aMessage({ destination: prices, ...fields })).attributes;
  return attributes;
};
const hidden = { "SpanMQ.hidden": { type: "String", value: "true" } };
const text = (value: string): PropertyValue => ({ type: "string", value });
const double = (value: number): PropertyValue => ({ type: "double", value });

describe("what goes to a topic shows its properties outside the header", () => {
  test.for<{ rule: string; p: PropertyValue; as: NativeAttributes }>([
    { rule: "text as it is", p: text("eu"), as: { p: { type: "String", value: "eu" } } },
    { rule: "a boolean as its text", p: { type: "boolean", value: true }, as: { p: { type: "String", value: "true" } } },
    { rule: "a number of any type", p: { type: "long", value: "-5" }, as: { p: { type: "Number", value: "-5" } } },
    { rule: "a float", p: { type: "float", value: 1.5 }, as: { p: { type: "Number", value: "1.5" } } },
    { rule: "the finest number that SNS compares", p: double(0.00001), as: { p: { type: "Number", value: "0.00001" } } },
    { rule: "the greatest one", p: double(1e9), as: { p: { type: "Number", value: "1000000000" } } },
    { rule: "text that reads as a number, in the number's own form", p: text("3.5"), as: { p: { type: "String", value: "3.5" } } },
    { rule: "a null not at all", p: { type: "null" }, as: {} },
  ])("$rule", ({ p, as }) => {
    expect(outside({ properties: { p } })).toEqual(as);
  });

  test("beside a producer's own attributes", () => {
    const native = { n: { type: "Number", value: "5" } };
    expect(outside({ native, properties: { p: text("eu") } })).toEqual({ ...native, p: { type: "String", value: "eu" } });
  });

  test("and only what goes to a topic", () => {
    const properties = { p: text("eu"), q: text("") };
    const wire = encodeProducer(aMessage({ properties }));
    expect(Object.keys(wire.attributes)).toEqual(["SpanMQ", "destination"]);
  });
});

describe("none shows, and the message says so, if one would be another than it is", () => {
  test.for<{ rule: string; name?: string; p: PropertyValue }>([
    { rule: "text that SNS wants escaped", p: text('a"b') },
    { rule: "a backslash", p: text("a\\b") },
    { rule: "text that XML forbids", p: text("\0") },
    { rule: "an empty text", p: text("") },
    { rule: "a long text", p: text("x".repeat(129)) },
    { rule: "text that reads as a boolean", p: text("true") },
    { rule: "text that reads as a number of another form", p: text("03") },
    { rule: "text that reads as minus zero", p: text("-0") },
    { rule: "a number beyond SNS's", p: double(1e9 + 1) },
    { rule: "a number finer than SNS's", p: double(0.000001) },
    { rule: "a float that is finer than it looks", p: { type: "float", value: 0.1 } },
    { rule: "minus zero", p: double(-0) },
    { rule: "what is no number", p: double(Number.NaN) },
    { rule: "a name that AWS refuses", name: "$p", p: text("eu") },
    { rule: "a name that no selector has", name: "x-p", p: text("eu") },
    { rule: "the name of our header", name: "SpanMQ", p: text("eu") },
  ])("$rule", ({ name = "p", p }) => {
    expect(outside({ properties: { [name]: p, shown: text("eu") } })).toEqual(hidden);
  });

  test("there are more than eight", () => {
    const many = (count: number) => Object.fromEntries(Array.from({ length: count }, (_, i) => [`p${i}`, double(i)]));
    expect(Object.keys(outside({ properties: many(8) }))).toHaveLength(8);
    expect(outside({ properties: many(9) })).toEqual(hidden);
  });

  test.for<{ rule: string; native: NativeAttributes }>([
    { rule: "a producer's list, which matches by any element", native: { tags: { type: "String.Array", value: "[3]" } } },
    { rule: "a producer's bytes, which SNS doesn't look at", native: { raw: { type: "Binary", value: "AAAA" } } },
    { rule: "a producer's number in another form", native: { n: { type: "Number", value: "1e3" } } },
    { rule: "a producer's text that reads as a boolean", native: { vip: { type: "String", value: "true" } } },
  ])("$rule", ({ native }) => {
    expect(outside({ native, properties: { p: text("eu") } })).toEqual({ ...native, ...hidden });
  });

  test("a producer's attribute has the name of a property, and travels inside", () => {
    expect(outside({ native: { p: { type: "String", value: "us" } }, properties: { p: text("eu") } })).toEqual(hidden);
  });

  test("and with eight attributes of a producer there is room to say so", () => {
    const native = Object.fromEntries(Array.from({ length: 8 }, (_, i) => [`n${i}`, { type: "Number", value: `${i}` }]));
    const attributes = outside({ native, properties: { p: text("eu") } });
    expect(Object.keys(attributes)).toEqual(["n0", "n1", "n2", "n3", "n4", "n5", "n6", "SpanMQ.hidden"]);
  });
});
