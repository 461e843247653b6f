import { describe, expect, test } from "vitest";
import { destinationOf } from "../../../core/destination/destination.ts";
import { advisoryFilterOf, wantsHint } from "../../../core/link/advisory-filter.ts";
import { aLinkFrom } from "../../support/a-connector.ts";

describe("wantsHint", () => {
  test.for([
    { rule: "an empty filter wants all", filter: [], destination: "topic://x", wants: true },
    { rule: "a name wants itself", filter: ["queue://x"], destination: "queue://x", wants: true },
    { rule: "a pattern wants what it matches", filter: ["queue://o.>"], destination: "queue://o.a.b", wants: true },
    { rule: "and nothing else", filter: ["queue://o.>"], destination: "queue://p", wants: false },
    { rule: "kinds never match each other", filter: ["queue://x"], destination: "topic://x", wants: false },
    { rule: "any of several is enough", filter: ["queue://x", "topic://y"], destination: "topic://y", wants: true },
    { rule: "W7: a pattern is tested as a name", filter: ["queue://o.>"], destination: "queue://>", wants: false },
    { rule: "W7: a narrower pattern is wanted", filter: ["queue://o.>"], destination: "queue://o.a.>", wants: true },
  ])("$rule", ({ filter, destination, wants }) => {
    expect(wantsHint(filter, destinationOf(destination))).toBe(wants);
  });
});

test("a connector listens to its dynamic list, whatever else it includes", () => {
  const lists = { dynamicallyIncludedDestinations: ["queue://o.>"], staticallyIncludedDestinations: ["queue://s"] };
  expect(advisoryFilterOf(aLinkFrom("a", "b", lists))).toEqual(["queue://o.>"]);
});
