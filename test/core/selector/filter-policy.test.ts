import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { destinationOf } from "../../../core/destination/destination.ts";
import { brokerId } from "../../../core/ids.ts";
import { decodeConsumed } from "../../../core/message/decode.ts";
import { encodeMessage, encodePublish } from "../../../core/message/encode.ts";
import type { Message, NativeAttribute, PropertyValue, WireMessage } from "../../../core/message/message.ts";
import { isXmlLegal } from "../../../core/message/text.ts";
import type { Producers } from "../../../core/selector/attribute-term.ts";
import { compileSelector } from "../../../core/selector/compile.ts";
import { filterPolicyOf } from "../../../core/selector/filter-policy.ts";
import { aMessage, aRecord } from "../../support/a-message.ts";
import { passes, type Reading } from "../../support/filter-policy.ts";
import { sha256 } from "../../support/hash.ts";
import { aKey } from "../../support/signing.ts";
import { anyProperty } from "../message/arbitrary.ts";

const prices = destinationOf("topic://prices");
const us = brokerId("us");
const key = aKey("us-1");
const context = { self: us, verify: key.verify, hash: sha256, destination: prices };

/** The message that a selector at the subscription's end judges. */
const consumed = (wire: WireMessage): Message => {
  const arrival = decodeConsumed(aRecord(wire), context);
  if (arrival.arrival !== "message") throw new Error(JSON.stringify(arrival));
  return arrival.message;
};

const asDocumented: Reading = { lenient: false, unsure: false };
const readings: readonly Reading[] = [true, false].flatMap((lenient) => [true, false].map((unsure) => ({ lenient, unsure })));

const names = fc.constantFrom("p", "q", "r");
const texts = fc.oneof(
  { weight: 3, arbitrary: fc.constantFrom("eu", "us", "true") },
  fc.constantFrom("eu-west", "3", "03", "5", "false", "", 'x"y', "x\\y", "\ud800", "x".repeat(200)),
);
const numbers = fc.constantFrom(3, -3, 5, 0, -0, 2.5, 0.1, 0.000001, 1e9, 1e10, 16_777_216, 16_777_217);
const whole = fc.constantFrom(3, 5, 0, 127);

const property: fc.Arbitrary<PropertyValue> = fc.oneof(
  texts.map((value): PropertyValue => ({ type: "string", value })),
  fc.boolean().map((value): PropertyValue => ({ type: "boolean", value })),
  fc.record({ type: fc.constantFrom("byte" as const, "short" as const, "int" as const), value: whole }),
  fc.record({ type: fc.constantFrom("float" as const, "double" as const), value: numbers }),
  anyProperty,
);
const native: fc.Arbitrary<NativeAttribute> = fc
  .oneof(
    { weight: 3, arbitrary: fc.record({ type: fc.constant("String"), value: texts }) },
    fc.record({ type: fc.constant("Number"), value: fc.oneof(numbers.map(String), fc.constantFrom("03", "1e3", "3.0")) }),
    fc.record({ type: fc.constant("String.Array"), value: fc.constantFrom('["eu","us"]', "[3]", "[true,null]", "[]") }),
    fc.record({ type: fc.constantFrom("Binary", "String.mine", "Number.float"), value: fc.constantFrom("AAAA", "3") }),
  )
  .filter(({ value }) => value !== "" && isXmlLegal(value));

const quoted = (text: string): string => `'${text.replaceAll("'", "''")}'`;
const words = (...parts: readonly fc.Arbitrary<string>[]) => fc.tuple(...parts).map((chosen) => chosen.join(" "));
const literal = fc.oneof(
  texts.map(quoted),
  fc.constantFrom(
    "TRUE",
    "FALSE",
    "3",
    "-3",
    "5",
    "0",
    "-0.0",
    "2.5",
    "0.1",
    "1e9",
    "1e10",
    "16777217",
    "0.000001",
    "99999999999999999999",
  ),
);
const list = fc.uniqueArray(texts, { minLength: 1, maxLength: 3 }).map((of) => `(${of.map(quoted).join(", ")})`);
/** What is said of anybody's messages. */
const textual = fc.oneof(words(names, fc.constant("="), texts.map(quoted)), words(names, fc.constant("IN"), list));
const atom = fc.oneof(
  names,
  words(names, fc.constantFrom("=", "<>"), literal),
  words(literal, fc.constantFrom("=", "<>"), names),
  words(names, fc.constantFrom("<", "<=", ">", ">=", "+ 1 ="), fc.constantFrom("3", "5", "-3", "2.5", "1e10", "16777217")),
  words(fc.constantFrom("3", "2.5"), fc.constantFrom("<", ">="), names),
  words(names, fc.constantFrom("IN", "NOT IN"), list),
  words(
    names,
    fc.constantFrom("LIKE", "NOT LIKE"),
    fc.constantFrom("eu%", "%west", "e%t", "eu", "e_", "%", "t%", '%x"%', "3%").map(quoted),
  ),
  words(names, fc.constantFrom("IS NULL", "IS NOT NULL", "BETWEEN 3 AND 5", "NOT BETWEEN 3 AND 5", "BETWEEN 5 AND 5")),
  fc.constantFrom("JMSPriority = 4", "p = q", "TRUE", "FALSE", "$x = 1"),
);
const selectorOf = (atoms: fc.Arbitrary<string>) =>
  fc.letrec<{ selector: string }>((tie) => ({
    selector: fc.oneof(
      { depthSize: "small", withCrossShrink: true },
      atoms,
      tie("selector").map((inner) => `NOT (${inner})`),
      fc.tuple(tie("selector"), fc.constantFrom("AND", "OR"), tie("selector")).map(([left, op, right]) => `(${left}) ${op} (${right})`),
    ),
  })).selector;
const someOf = (atoms: fc.Arbitrary<string>) => fc.array(selectorOf(atoms), { minLength: 1, maxLength: 2 });

/** As our client publishes it, or as a broker sends it on. */
const ours = fc
  .record({
    properties: fc.dictionary(names, property, { maxKeys: 3 }),
    native: fc.dictionary(fc.oneof(names, fc.constantFrom("n")), native, { maxKeys: 2 }),
  })
  .chain(({ properties, native: attributes }) => {
    const message = aMessage({ destination: prices, properties, native: attributes });
    return fc.constantFrom(encodePublish(message), encodeMessage(message, { broker: us, signer: key.signer, hash: sha256 }));
  });
const anybodys = fc.dictionary(names, native, { maxKeys: 3 }).map((attributes): WireMessage => ({ body: "hello", attributes }));

describe("a policy", () => {
  const dropsNothing = (producers: Producers, atoms: fc.Arbitrary<string>, wires: fc.Arbitrary<WireMessage>) =>
    fc.assert(
      fc.property(someOf(atoms), wires, (some, wire) => {
        const translation = filterPolicyOf(some, producers);
        fc.pre(!("untranslatable" in translation));
        fc.pre(some.some((text) => compileSelector(text)(consumed(wire))));
        for (const reading of readings) expect(passes(translation.policy, wire.attributes, reading)).toBe(true);
      }),
      { numRuns: 300, maxSkipsPerRun: 500, includeErrorInReport: true },
    );

  test("drops nothing that a selector accepts of our clients' and brokers' messages, whatever SNS does where its documentation is silent", () => {
    dropsNothing("spanmq", atom, ours);
  });

  test("drops nothing that a selector accepts of anybody's messages, with attributes or without", () => {
    dropsNothing("any", fc.oneof({ weight: 4, arbitrary: textual }, atom), fc.oneof(ours, anybodys));
  });

  test("that is exact passes nothing else, of messages that hide nothing", () => {
    fc.assert(
      fc.property(someOf(atom), ours, (some, wire) => {
        const translation = filterPolicyOf(some, "spanmq");
        fc.pre(!("untranslatable" in translation) && translation.exact && wire.attributes["SpanMQ.hidden"] === undefined);
        expect(passes(translation.policy, wire.attributes, asDocumented)).toBe(some.some((text) => compileSelector(text)(consumed(wire))));
      }),
      { numRuns: 300, maxSkipsPerRun: 500 },
    );
  });
});

describe("a selector as a policy", () => {
  const hidden = { "SpanMQ.hidden": [{ exists: true }] };
  test.for([
    { rule: "a text", selector: "region = 'eu'", as: [{ region: ["eu"] }], exact: true },
    { rule: "texts", selector: "region IN ('eu', 'us')", as: [{ region: ["eu", "us"] }], exact: true },
    { rule: "two attributes", selector: "region = 'eu' AND vip", as: [{ region: ["eu"], vip: ["true"] }], exact: true },
    { rule: "either attribute", selector: "region = 'eu' OR vip", as: [{ region: ["eu"] }, { vip: ["true"] }], exact: true },
    { rule: "either value", selector: "n < 3 OR n = 5", as: [{ n: [{ numeric: ["<", 3] }, { numeric: ["=", 5] }] }], exact: true },
    { rule: "between", selector: "n BETWEEN 3 AND 5", as: [{ n: [{ numeric: [">=", 3, "<=", 5] }] }], exact: true },
    { rule: "a beginning", selector: "region LIKE 'eu-%'", as: [{ region: [{ prefix: "eu-" }] }], exact: true },
    { rule: "an end", selector: "file LIKE '%.csv'", as: [{ file: [{ suffix: ".csv" }] }], exact: true },
    { rule: "a beginning that says less", selector: "region LIKE 'eu-_est'", as: [{ region: [{ prefix: "eu-" }] }], exact: false },
    { rule: "what isn't", selector: "region <> 'eu'", as: [{ region: [{ "anything-but": ["eu"] }] }], exact: true },
    { rule: "what isn't the number", selector: "n <> 3", as: [{ n: [{ "anything-but": [3] }, "3"] }], exact: true },
    { rule: "what isn't its text", selector: "n <> '3'", as: [{ n: [{ "anything-but": ["3"] }, { numeric: ["=", 3] }] }], exact: true },
    {
      rule: "what isn't, or is missing",
      selector: "'eu' <> region",
      as: [{ region: [{ "anything-but": ["eu"] }, { exists: false }] }],
      exact: true,
    },
    { rule: "what is missing", selector: "coupon IS NULL", as: [{ coupon: [{ exists: false }] }], exact: true },
    { rule: "what must be there", selector: "coupon IS NOT NULL", as: [{ coupon: [{ exists: true }] }], exact: true },
    { rule: "a header beside it is left to the selector", selector: "vip AND JMSPriority > 4", as: [{ vip: ["true"] }], exact: false },
    {
      rule: "a fifth key is left to the selector",
      selector: "a AND b AND c AND d AND e",
      as: [{ a: ["true"], b: ["true"], c: ["true"], d: ["true"] }],
      exact: false,
    },
    { rule: "bytes and shorts make a literal on the left inexact", selector: "5 = n", as: [{ n: [{ numeric: ["=", 5] }] }], exact: false },
  ])("$rule: $selector", ({ selector, as, exact }) => {
    expect(filterPolicyOf([selector], "spanmq")).toEqual({ policy: { $or: [...as, hidden] }, exact });
  });

  test("of several selectors passes what any of them accepts", () => {
    const policy = { $or: [{ region: ["eu", "us"] }, hidden] };
    expect(filterPolicyOf(["region = 'eu'", "region = 'us'"], "any")).toEqual({ policy, exact: true });
  });

  test.for<{ rule: string; selector: string; producers?: Producers }>([
    { rule: "a header alone", selector: "JMSType = 'car'" },
    { rule: "arithmetic", selector: "n + 1 = 5" },
    { rule: "two properties", selector: "a = b" },
    { rule: "a property that is named as our header", selector: "SpanMQ IS NULL" },
    { rule: "an alternative that no policy tells", selector: "region = 'eu' OR JMSPriority > 4" },
    { rule: "more than 150 texts", selector: `region IN (${Array.from({ length: 151 }, (_, i) => `'r${i}'`).join(", ")})` },
    { rule: "a number beyond SNS's", selector: "n > 1000000001" },
    { rule: "a number finer than SNS's", selector: "n > 0.000001" },
    { rule: "an integer that no float is", selector: "n = 16777217" },
    { rule: "minus zero", selector: "n = -0.0" },
    { rule: "what is always true", selector: "TRUE" },
    { rule: "converted text", selector: "convert_string_expressions:n = '5'" },
    { rule: "no selector at all", selector: "n =" },
    { rule: "a number, where anybody publishes", selector: "n > 5", producers: "any" },
    { rule: "a beginning, where anybody publishes", selector: "region LIKE 'eu-%'", producers: "any" },
    { rule: "what may be missing, where anybody publishes", selector: "region IS NULL", producers: "any" },
  ])("has none for $rule: $selector", ({ selector, producers = "spanmq" }) => {
    expect(filterPolicyOf([selector], producers)).toEqual({ untranslatable: expect.any(String) });
  });

  test.for<{ rule: string; properties: Message["properties"]; accepted: boolean }>([
    { rule: "absent", properties: {}, accepted: true },
    { rule: "null", properties: { p: { type: "null" } }, accepted: true },
    { rule: "3", properties: { p: { type: "int", value: 3 } }, accepted: false },
    { rule: "'3'", properties: { p: { type: "string", value: "3" } }, accepted: true },
    { rule: "4", properties: { p: { type: "int", value: 4 } }, accepted: true },
  ])("C09: a policy answers as the selector does: p IS NULL OR p <> 3, of $rule", ({ properties, accepted }) => {
    const selector = "p IS NULL OR p <> 3";
    const translation = filterPolicyOf([selector], "spanmq");
    if ("untranslatable" in translation) throw new Error(translation.untranslatable);
    const wire = encodePublish(aMessage({ destination: prices, properties }));
    expect(compileSelector(selector)(consumed(wire))).toBe(accepted);
    expect(passes(translation.policy, wire.attributes, asDocumented)).toBe(accepted);
  });
});
