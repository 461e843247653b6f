import { describe, expect, test } from "vitest";
import { destinationOf } from "../../../core/destination/destination.ts";
import { brokerId } from "../../../core/ids.ts";
import type { DeadLetterStrategy } from "../../../core/policy/dead-letters.ts";
import { policyFor } from "../../../core/policy/policy.ts";
import { judgeAdmission } from "../../../core/routing/admit.ts";
import { aLinkFrom } from "../../support/a-connector.ts";
import { aMessage } from "../../support/a-message.ts";

const now = 10_000;

/** At c, come over b's connector unless it is fresh; a leads to b. */
const judge = ({ to, path, ttl = 1, expiration = 0, excluded = [], deadLetters }: Case) => {
  const link = aLinkFrom("b", "c", { messageTTL: ttl, excludedDestinations: excluded });
  const message = aMessage({ destination: destinationOf(to), brokerPath: path.split("").map(brokerId), expiration });
  const policy = policyFor(deadLetters ? [{ destination: "queue://>", deadLetterStrategy: deadLetters }] : [], message.destination);
  const came = path === "" ? undefined : link;
  return judgeAdmission(message, { self: brokerId("c"), came, connectors: [aLinkFrom("a", "b"), link], policy, now });
};
interface Case {
  readonly to: string;
  readonly path: string;
  readonly ttl?: number;
  readonly expiration?: number;
  readonly excluded?: readonly string[];
  readonly deadLetters?: DeadLetterStrategy;
}

describe("judgeAdmission at c", () => {
  test.for<Case & { readonly rule: string; readonly verdict: string }>([
    { rule: "a producer's message is admitted", to: "queue://x", path: "", verdict: "admitted" },
    { rule: "so is one that crossed once", to: "topic://x", path: "b", verdict: "admitted" },
    {
      rule: "FWD-8: an expired queue message is given up with its reason",
      to: "queue://x",
      path: "",
      expiration: now,
      verdict: "dead-letter expired to ActiveMQ.DLQ",
    },
    {
      rule: "FWD-8: so is an expired copy of a topic",
      to: "topic://x",
      path: "b",
      expiration: now - 1,
      verdict: "dead-letter expired to ActiveMQ.DLQ",
    },
    {
      rule: "FWD-8: unless its policy drops what has expired",
      to: "queue://x",
      path: "",
      expiration: now,
      deadLetters: { strategy: "discarding" },
      verdict: "drop expired",
    },
    { rule: "one that expires later isn't", to: "topic://x", path: "b", expiration: now + 1, verdict: "admitted" },
    { rule: "an expiration of 0 never comes", to: "queue://x", path: "", expiration: 0, verdict: "admitted" },
    {
      rule: "the receiver checks the lists again: a topic's copy is dropped",
      to: "topic://x",
      path: "b",
      excluded: ["topic://x"],
      verdict: "drop not-permitted",
    },
    {
      rule: "a queue message is never dropped for the lists",
      to: "queue://x",
      path: "b",
      excluded: ["queue://x"],
      verdict: "dead-letter not-permitted",
    },
    { rule: "a copy that was here is an echo", to: "topic://x", path: "cb", ttl: 9, verdict: "drop echo" },
    { rule: "a queue message that was here stays: it is one of a kind", to: "queue://x", path: "cb", verdict: "admitted" },
    { rule: "TTL-2: AWS carried a copy one hop too far", to: "topic://x", path: "ab", ttl: 1, verdict: "drop ttl-spent" },
    { rule: "TTL-2: two hops are within a TTL of 2", to: "topic://x", path: "ab", ttl: 2, verdict: "admitted" },
    { rule: "TTL-4: a TTL of 0 admits no copy", to: "topic://x", path: "b", ttl: 0, verdict: "drop ttl-spent" },
    { rule: "a queue message that crossed is past its hop test", to: "queue://x", path: "ab", ttl: 1, verdict: "admitted" },
  ])("$rule", (row) => {
    const plan = judge(row);
    const to = plan?.plan === "dead-letter" && plan.to ? ` to ${plan.to.name}` : "";
    expect(plan === undefined ? "admitted" : `${plan.plan} ${plan.reason}${to}`).toBe(row.verdict);
  });
});
