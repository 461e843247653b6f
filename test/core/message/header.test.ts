import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { parseBySchema, parseHeader } from "../../../core/message/header.ts";
import { anyText } from "./arbitrary.ts";

const texts = ["correlationId", "replyTo", "type", "groupId", "userId", "connection", "id", "from", "destination", "originalDestination"];
const numbers = ["v", "min", "timestamp", "expiration", "priority", "groupSequence", "copies"];
const others = ["path", "kid", "sig", "deliveryMode", "content", "properties", "native", "__proto__", "constructor", "toString", "newer"];

const right = fc.oneof(
  fc.tuple(fc.constantFrom(...texts, "kid", "sig"), anyText),
  fc.tuple(fc.constantFrom(...numbers), fc.nat()),
  fc.tuple(fc.constant("path"), fc.array(fc.string({ minLength: 1 }))),
);
const anything = fc.oneof(
  fc.jsonValue(),
  fc.constantFrom("", 0, -1, 1.5, 2 ** 53, null, "PERSISTENT", "base64", [""], ["us", 1], { "": ["i", 1] }),
);
const wrong = fc.tuple(fc.constantFrom(...texts, ...numbers, ...others), anything);
const fields = fc.array(fc.oneof({ weight: 4, arbitrary: right }, { weight: 1, arbitrary: wrong }), { maxLength: 8 });

/** `__proto__` is a key like any other in JSON. */
const jsonOf = (entries: readonly (readonly [string, unknown])[]): string =>
  `{${entries.map(([name, value]) => `${JSON.stringify(name)}:${JSON.stringify(value)}`).join(",")}}`;

describe("a header that is told by hand", () => {
  test("is what the schema would say of it, and of any other the schema is asked", () => {
    fc.assert(
      fc.property(fc.option(fc.constantFrom(1, 2), { freq: 4 }), fields, (v, entries) => {
        const text = jsonOf(v === null ? entries : [...entries, ["v", v]]);
        expect(parseHeader(text)).toEqual(parseBySchema(JSON.parse(text)));
      }),
      { numRuns: 2_000 },
    );
  });

  test.for([
    { rule: "no object", text: "[1]" },
    { rule: "null", text: "null" },
    { rule: "no JSON", text: "{" },
    { rule: "without a version", text: "{}" },
    { rule: "with a number beyond what JSON keeps", text: '{"v":1,"timestamp":9007199254740992}' },
    { rule: "with an empty id", text: '{"v":1,"id":""}' },
    { rule: "with a broker on its path that has no name", text: '{"v":1,"path":["us",""]}' },
  ])("$rule is none", ({ text }) => {
    expect(parseHeader(text)).toMatchObject({ fault: "malformed-header" });
  });
});
