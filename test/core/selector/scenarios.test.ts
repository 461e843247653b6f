import { describe, expect, test } from "vitest";
import { destinationOf } from "../../../core/destination/destination.ts";
import { brokerId } from "../../../core/ids.ts";
import type { PropertyValue } from "../../../core/message/message.ts";
import { compileSelector } from "../../../core/selector/compile.ts";
import { parseSelector } from "../../../core/selector/parse.ts";
import { aMessage } from "../../support/a-message.ts";

const number = (type: "byte" | "short" | "int" | "float" | "double", value: number): PropertyValue => ({ type, value });
const message = aMessage({
  id: "ID:one",
  destination: destinationOf("queue://orders.late"),
  originalDestination: destinationOf("queue://orders"),
  brokerPath: ["a", "b"].map(brokerId),
  type: "selector-test",
  properties: {
    name: { type: "string", value: "James" },
    quoted: { type: "string", value: "In Paul's" },
    pattern: { type: "string", value: "a_b%c!d.e" },
    isOpen: { type: "boolean", value: true },
    rank: number("int", 123),
    version: number("int", 2),
    byte: number("byte", 123),
    short: number("short", 123),
    long: { type: "long", value: "123" },
    float: number("float", 123),
    double: number("double", 123),
  },
});

interface Scenario {
  readonly rule: string;
  readonly accepts?: readonly string[];
  readonly refuses?: readonly string[];
}

/** The original's own tests of its language, one row each; what they say of types and nulls is recorded whole (test/oracle). */
describe("selectors of the original's tests", () => {
  test.for<Scenario>([
    {
      rule: "I1 a boolean property is a condition, an unknown name never holds",
      accepts: ["isOpen", "isOpen AND name = 'James'", "unknown OR isOpen", "NOT (name = 'Bob')"],
      refuses: ["unknown", "NOT unknown", "unknown = 1", "unknown <> 1 AND isOpen", "NOT isOpen"],
    },
    {
      rule: "I2 a property of any numeric type on the left equals an int",
      accepts: ["byte", "short", "rank", "long", "float", "double"].map((name) => `${name} = 123`),
      refuses: ["byte", "short", "rank", "long", "float", "double"].map((name) => `${name} <> 123`),
    },
    {
      rule: "I3 + on text appends, a division has a fraction",
      accepts: ["name + '-x' = 'James-x'", "rank / version = 61.5", "version / 2 = 1", "rank + 2 * version - 1 = 126"],
      refuses: ["rank / version = 61"],
    },
    {
      rule: "I4 BETWEEN and IN, of which a missing property is neither in nor out",
      accepts: ["rank BETWEEN 100 AND 123", "rank NOT BETWEEN 1 AND 100", "name IN ('Bob', 'James')", "name NOT IN ('Bob')"],
      refuses: ["rank BETWEEN 1 AND 100", "name NOT IN ('James')", "unknown IN ('Bob')", "unknown NOT IN ('Bob')"],
    },
    {
      rule: "I5 what isn't there is null",
      accepts: ["unknown IS NULL", "name IS NOT NULL"],
      refuses: ["unknown IS NOT NULL", "name IS NULL"],
    },
    {
      rule: "I6 LIKE escapes %, _ and its escape, and knows no other pattern",
      accepts: ["pattern LIKE 'a!_b!%c!!d.e' ESCAPE '!'", "name LIKE 'J_m%'", "quoted LIKE '%Paul''s'", "quoted = 'In Paul''s'"],
      refuses: ["name LIKE 'J!_m%' ESCAPE '!'", "name LIKE 'J.*'", "name NOT LIKE 'J%'", "pattern LIKE 'a_b%c!d!.e' ESCAPE '!'"],
    },
    {
      rule: "I7 numbers may begin or end with the point, have exponents and signs",
      accepts: ["version = 2.", "version > .5", "version = 2E0", "version < 5e1", "version > -2", "-version = -2", "rank = +123"],
      refuses: ["version < -.5", "version = 2e1"],
    },
    {
      rule: "I9 JMS names are the header's, JMSDestination that of the first send",
      accepts: ["JMSType = 'selector-test'", "JMSMessageID = 'ID:one'", "JMSDestination = 'queue://orders'"],
      refuses: ["JMSType = 'crap'", "JMSDestination = 'queue://orders.late'"],
    },
    { rule: "H42 so is the path that it came", accepts: ["JMSActiveMQBrokerPath = '[a, b]'"] },
    {
      rule: "I12 nulls on either side, NOT before a comparison, octal, comments",
      accepts: ["rank = 0173", "rank = 0x7B", "rank /* = 4 */ = 123 -- all\n", "NOT unknown IS NULL", "unknown = alsoUnknown"],
      refuses: ["unknown = rank", "NOT rank = 5"],
    },
  ])("$rule", ({ accepts = [], refuses = [] }) => {
    expect(accepts.filter((selector) => !compileSelector(selector)(message))).toEqual([]);
    expect(refuses.filter((selector) => compileSelector(selector)(message))).toEqual([]);
    expect([...accepts, ...refuses].filter((selector) => "fault" in parseSelector(selector))).toEqual([]);
  });

  test.for(["3+5", "True AND 3+5", "=TEST 'test'", "name = 'James' stray", "stray words"])("I8 invalid: %s", (selector) => {
    expect(parseSelector(selector)).toMatchObject({ fault: expect.any(String) });
  });
});
