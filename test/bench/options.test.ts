import { expect, test } from "vitest";
import { help, parts, readOptions, UsageError } from "../../bench/options.ts";

test("without options everything is measured with a thousand messages, for a reader", () => {
  expect(readOptions([])).toEqual({ messages: 1_000, only: parts, json: false, assert: false });
});

test("parts are picked one by one", () => {
  expect(readOptions(["--only", "cpu", "--only", "calls", "--json", "--messages", "20", "--assert"])).toEqual({
    messages: 20,
    only: ["cpu", "calls"],
    json: true,
    assert: true,
  });
});

test("--help asks for the help, which names every part", () => {
  expect(readOptions(["--help"])).toBe("help");
  for (const part of parts) expect(help).toContain(`\n  ${part} `);
});

test.for([
  { rule: "no number", args: ["--messages", "many"], says: "--messages many: give a multiple of 10, such as --messages 500" },
  { rule: "a batch that isn't full", args: ["--messages", "15"], says: "--messages 15: give a multiple of 10, such as --messages 500" },
  { rule: "no message at all", args: ["--messages", "0"], says: "--messages 0: give a multiple of 10, such as --messages 500" },
  {
    rule: "a part that there isn't",
    args: ["--only", "speed"],
    says: "--only speed: there is no such part; the parts are selectors, names, calls, control, cpu, throughput, outage, bundles",
  },
  { rule: "an option that there isn't", args: ["--jason"], says: "Unknown option '--jason'" },
  { rule: "an argument", args: ["calls"], says: "Unexpected argument 'calls'" },
])("refuses $rule", ({ args, says }) => {
  expect(() => readOptions(args)).toThrow(UsageError);
  expect(() => readOptions(args)).toThrow(says);
});
