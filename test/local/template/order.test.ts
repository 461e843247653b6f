// biome-ignore-all lint/suspicious/noTemplateCurlyInString: the syntax of Fn::Sub
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { creationOrder } from "../../../local/template/order.ts";
import { readStack } from "../../../local/template/template.ts";

const orderOf = (resources: object) =>
  creationOrder(
    readStack("s", "r", {
      Resources: Object.fromEntries(Object.entries(resources).map(([id, rest]) => [id, { Type: "T", ...rest }])),
    }).template.Resources,
  );

describe("creationOrder", () => {
  test.for([
    { rule: "without references the template's order stays", resources: { b: {}, a: {} }, order: ["b", "a"] },
    { rule: "a Ref comes first", resources: { a: { Properties: { x: [{ Ref: "b" }] } }, b: {} }, order: ["b", "a"] },
    { rule: "a GetAtt comes first", resources: { a: { Properties: { x: { "Fn::GetAtt": ["b", "Arn"] } } }, b: {} }, order: ["b", "a"] },
    { rule: "what Sub names comes first", resources: { a: { Properties: { x: { "Fn::Sub": "${b.Arn}" } } }, b: {} }, order: ["b", "a"] },
    { rule: "DependsOn may be one id", resources: { a: { DependsOn: "b" }, b: {} }, order: ["b", "a"] },
    { rule: "DependsOn may be a list", resources: { a: { DependsOn: ["c", "b"] }, b: {}, c: {} }, order: ["c", "b", "a"] },
    { rule: "a pseudo parameter is no resource", resources: { a: { Properties: { x: { Ref: "AWS::Region" } } } }, order: ["a"] },
  ])("$rule", ({ resources, order }) => {
    expect(orderOf(resources)).toEqual(order);
  });

  test("a circle is named", () => {
    expect(() => orderOf({ a: { DependsOn: "b" }, b: { DependsOn: "a" } })).toThrow("a → b → a");
  });

  test("whatever depends on what, each resource stands once, after all it needs", () => {
    const resources = fc
      .array(fc.array(fc.nat(), { maxLength: 3 }), { maxLength: 12 })
      .map((needs) => needs.map((ids, index) => (index === 0 ? [] : ids.map((id) => id % index))))
      .chain((needs) =>
        fc.shuffledSubarray(
          needs.map((ids, index) => [index, ids] as const),
          { minLength: needs.length },
        ),
      );
    fc.assert(
      fc.property(resources, (shuffled) => {
        const order = orderOf(
          Object.fromEntries(shuffled.map(([id, ids]) => [`r${id}`, { DependsOn: ids.map((needed) => `r${needed}`) }])),
        );
        expect([...order].sort()).toEqual(shuffled.map(([id]) => `r${id}`).sort());
        for (const [id, ids] of shuffled)
          for (const needed of ids) expect(order.indexOf(`r${needed}`)).toBeLessThan(order.indexOf(`r${id}`));
      }),
    );
  });
});

describe("readStack", () => {
  test.for([
    { rule: "a condition section", json: { Conditions: {}, Resources: {} }, names: "Conditions" },
    { rule: "a resource under a condition", json: { Resources: { a: { Type: "T", Condition: "c" } } }, names: "Resources.a" },
    { rule: "a parameter of its own", json: { Parameters: { Mine: {} }, Resources: {} }, names: "Mine" },
  ])("$rule is refused by name", ({ json, names }) => {
    expect(() => readStack("stack-a", "eu-west-1", json)).toThrow(new RegExp(`stack-a.*local/template/template.ts[^]*${names}`));
  });
});
