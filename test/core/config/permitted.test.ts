import { describe, expect, test } from "vitest";
import { permitsOf } from "../../../core/config/permitted.ts";
import { destinationOf } from "../../../core/destination/destination.ts";
import { aLinkFrom } from "../../support/a-connector.ts";

const permits = (lists: Readonly<Record<"excluded" | "statics" | "dynamics", readonly string[]>>) =>
  permitsOf(
    aLinkFrom("a", "b", {
      excludedDestinations: lists.excluded,
      staticallyIncludedDestinations: lists.statics,
      dynamicallyIncludedDestinations: lists.dynamics,
    }),
  );

describe("permitsOf a connector", () => {
  test.for([
    { rule: "without lists everything may cross", asked: "queue://x", because: "default" },
    { rule: "what is excluded may not", excluded: ["queue://x"], asked: "queue://x", because: "excluded" },
    { rule: "an exclude beats a static include", excluded: ["queue://x"], statics: ["queue://x"], asked: "queue://x", because: "excluded" },
    {
      rule: "an exclude beats a dynamic include",
      excluded: ["queue://>"],
      dynamics: ["queue://x"],
      asked: "queue://x",
      because: "excluded",
    },
    {
      rule: "a static include may cross though the dynamic list lacks it",
      statics: ["queue://x"],
      dynamics: ["queue://y"],
      asked: "queue://x",
      because: "static-include",
    },
    {
      rule: "a static include comes before a dynamic one",
      statics: ["queue://x"],
      dynamics: ["queue://x"],
      asked: "queue://x",
      because: "static-include",
    },
    { rule: "a static list alone leaves the rest permitted", statics: ["queue://x"], asked: "queue://y", because: "default" },
    { rule: "a dynamic list permits what it matches", dynamics: ["queue://o.>"], asked: "queue://o.new", because: "dynamic-include" },
    { rule: "a dynamic list forbids the rest", dynamics: ["queue://o.>"], asked: "queue://p", because: "not-included" },
    { rule: "kinds never match each other", excluded: ["topic://x"], asked: "queue://x", because: "default" },
    {
      rule: "W7: an exclude of local.> doesn't stop a consumer on >",
      excluded: ["queue://local.>"],
      asked: "queue://>",
      because: "default",
    },
    {
      rule: "W7: an exclude of local.> stops a consumer on local.a.>",
      excluded: ["queue://local.>"],
      asked: "queue://local.a.>",
      because: "excluded",
    },
    {
      rule: "W7: a name in the list never includes a pattern",
      dynamics: ["queue://TEST.A"],
      asked: "queue://TEST.>",
      because: "not-included",
    },
  ])("$rule", ({ excluded = [], statics = [], dynamics = [], asked, because }) => {
    const permission = permits({ excluded, statics, dynamics }).judge(destinationOf(asked));
    expect(permission.verdict === "permitted" ? permission.by : permission.why).toBe(because);
  });

  test.for([
    { rule: "a static include of the name", statics: ["queue://x"], excluded: [], isStatic: true },
    { rule: "a static pattern over the name", statics: ["queue://>"], excluded: [], isStatic: true },
    { rule: "an excluded one isn't", statics: ["queue://x"], excluded: ["queue://*"], isStatic: false },
    { rule: "nor is what is merely permitted", statics: [], excluded: [], isStatic: false },
  ])("is static: $rule", ({ statics, excluded, isStatic }) => {
    expect(permits({ excluded, statics, dynamics: [] }).isStatic(destinationOf("queue://x"))).toBe(isStatic);
  });
});
