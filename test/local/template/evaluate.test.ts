// biome-ignore-all lint/suspicious/noTemplateCurlyInString: the syntax of Fn::Sub
import { describe, expect, test } from "vitest";
import { evaluate, type References } from "../../../local/template/evaluate.ts";

const references: References = {
  ref: (name) => ({ Queue: "http://queue", "AWS::Region": "eu-west-1" })[name],
  attribute: (logicalId, attribute) => `${logicalId}'s ${attribute}`,
};

describe("evaluate", () => {
  test.for([
    { rule: "plain values stay", value: { a: [1, "x", true, null] }, becomes: { a: [1, "x", true, null] } },
    { rule: "a Ref becomes what it refers to", value: { Ref: "AWS::Region" }, becomes: "eu-west-1" },
    { rule: "a reference to no value leaves its key out", value: { a: { Ref: "AWS::NoValue" }, b: 1 }, becomes: { b: 1 } },
    { rule: "a reference to no value leaves its item out", value: [{ Ref: "AWS::NoValue" }, 1], becomes: [1] },
    { rule: "an attribute is found by list", value: { "Fn::GetAtt": ["Queue", "Arn"] }, becomes: "Queue's Arn" },
    { rule: "an attribute is found by dotted text", value: { "Fn::GetAtt": "Queue.Arn" }, becomes: "Queue's Arn" },
    { rule: "Join joins evaluated parts", value: { "Fn::Join": ["-", ["a", { Ref: "AWS::Region" }]] }, becomes: "a-eu-west-1" },
    {
      rule: "Sub replaces references and attributes",
      value: { "Fn::Sub": "${AWS::Region}/${Queue.Arn}" },
      becomes: "eu-west-1/Queue's Arn",
    },
    { rule: "Sub's own variables win", value: { "Fn::Sub": ["${Queue}", { Queue: { Ref: "AWS::Region" } }] }, becomes: "eu-west-1" },
    { rule: "Sub keeps an escaped reference", value: { "Fn::Sub": "${!Literal}" }, becomes: "${Literal}" },
    { rule: "an object with more keys than the intrinsic's is plain", value: { Ref: "x", b: 1 }, becomes: { Ref: "x", b: 1 } },
  ])("$rule", ({ value, becomes }) => {
    expect(evaluate(value, references)).toEqual(becomes);
  });

  test("an intrinsic it doesn't know is refused by name", () => {
    expect(() => evaluate({ a: { "Fn::If": ["x", 1, 2] } }, references)).toThrow(
      "Fn::If is unknown to the embedded runtime: add it to local/template/evaluate.ts",
    );
  });
});
