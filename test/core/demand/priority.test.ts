import { describe, expect, test } from "vitest";
import { subscriptionPriority } from "../../../core/demand/priority.ts";
import { aLinkFrom } from "../../support/a-connector.ts";

describe("subscriptionPriority", () => {
  test.for([
    { rule: "QUE-7: not decreasing, it is the consumer's own", decrease: false, hops: 3, expected: 2 },
    { rule: "QUE-6: decreasing, a direct one has the base", decrease: true, hops: 1, expected: -5 },
    { rule: "QUE-6: two hops cost three", decrease: true, hops: 2, expected: -8 },
    { rule: "QUE-6: each further hop costs one", decrease: true, hops: 3, expected: -9 },
  ])("$rule", ({ decrease, hops, expected }) => {
    expect(subscriptionPriority(aLinkFrom("a", "b", { decreaseNetworkConsumerPriority: decrease }), 2, hops)).toBe(expected);
  });
});
