import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { destinationOf } from "../../../core/destination/destination.ts";
import { policyFor } from "../../../core/policy/policy.ts";

const on = (destination: string) => ({ destination, enableAudit: true });
const off = (destination: string) => ({ destination, enableAudit: false });

describe("the policy of a destination", () => {
  test.for([
    { rule: "audits by default", policies: [], audits: true },
    { rule: "is that of a pattern that means it", policies: [off("queue://a.>")], audits: false },
    { rule: "is none of another kind", policies: [off("topic://>")], audits: true },
    {
      rule: "W9: is its own name's before any pattern's",
      policies: [on("queue://>"), off("queue://a.b"), on("queue://a.>")],
      audits: false,
    },
    { rule: "W9: is the narrower pattern's", policies: [on("queue://>"), off("queue://a.>"), on("queue://b.>")], audits: false },
    { rule: "W9: whatever the order of the file", policies: [off("queue://a.>"), on("queue://>")], audits: false },
    { rule: "W9: else the first by name", policies: [on("queue://a.*"), off("queue://*.b")], audits: false },
    { rule: "W9: of one element before the rest", policies: [on("queue://a.>"), off("queue://a.*")], audits: false },
    { rule: "W9: of two parts the one that is as narrow", policies: [on("queue://>"), off("queue://x,queue://a.b")], audits: false },
    { rule: "is the first line's of two for the same", policies: [off("queue://a.>"), on("queue://a.>")], audits: false },
  ])("$rule", ({ policies, audits }) => {
    expect(policyFor(policies, destinationOf("queue://a.b"))).toMatchObject({ enableAudit: audits });
  });

  test("W9: is never that of a pattern wider than another that matches, whatever the order of the file", () => {
    // By name in this order; only the last one is part of the first.
    const lines = [off("queue://*.b.*"), on("queue://a.*.c"), on("queue://a.b.*")];
    fc.assert(
      fc.property(fc.shuffledSubarray(lines, { minLength: 3 }), (policies) => {
        expect(policyFor(policies, destinationOf("queue://a.b.c")).enableAudit).toBe(true);
      }),
    );
  });

  test("has the manual's defaults for what its line (or an older version) doesn't say", () => {
    const values = policyFor([{ destination: "queue://>", replayWhenNoConsumers: true }], destinationOf("queue://a.b"));
    expect(values).toMatchObject({ enableAudit: true, replayWhenNoConsumers: true, replayDelay: 0 });
  });
});
