import { describe, expect, test } from "vitest";
import { fromBase64, isXmlLegal, legalJson, parseJson } from "../../../core/message/text.ts";

describe("text that SQS and SNS take", () => {
  test.for([
    { rule: "tab, line feed and carriage return are legal", text: "\t\n\r", legal: true },
    { rule: "other controls are not", text: "\x1f", legal: false },
    { rule: "NUL is not", text: "\0", legal: false },
    { rule: "all planes are legal", text: "é日😀", legal: true },
    { rule: "the ends of the legal ranges are legal", text: " \ud7ff\ue000\ufffd\u{10000}\u{10ffff}", legal: true },
    { rule: "U+FFFE is not", text: "\ufffe", legal: false },
    { rule: "U+FFFF is not", text: "\uffff", legal: false },
    { rule: "a lone high surrogate is not", text: "a\ud800b", legal: false },
    { rule: "a lone low surrogate is not", text: "\udc00", legal: false },
  ])("$rule", ({ text, legal }) => {
    expect(isXmlLegal(text)).toBe(legal);
  });

  test("JSON is legal whatever it holds, and reads back", () => {
    const value = { text: "\0\ufffe\uffff\ufffe\ud800" };
    expect(isXmlLegal(legalJson(value))).toBe(true);
    expect(parseJson(legalJson(value))).toEqual(value);
  });

  test("what is no JSON or no base64 is nothing, not an error", () => {
    expect(parseJson("{")).toBeUndefined();
    expect(fromBase64("!")).toBeUndefined();
  });
});
