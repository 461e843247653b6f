import { describe, expect, test } from "vitest";
import { judgeClaim } from "../../../core/carry/claim.ts";

const longest = 60_000;
const claimedAt = 1_000_000;
const over = claimedAt + longest + 5_000;

describe("a copy whose key is claimed", () => {
  test.for([
    { rule: "is dropped once the load was carried", state: "done", attempt: "other", now: over, verdict: { verdict: "drop" } },
    { rule: "is dropped even by the handler that carried it", state: "done", attempt: "own", now: claimedAt, verdict: { verdict: "drop" } },
    {
      rule: "is our own repeated call where the attempt is ours",
      state: "claimed",
      attempt: "own",
      now: over,
      verdict: { verdict: "ours" },
    },
    {
      rule: "is given back for the rest of the time that a handler may run",
      state: "claimed",
      attempt: "other",
      now: claimedAt + 10_000,
      verdict: { verdict: "give-back", ms: 55_000 },
    },
    {
      rule: "and to the last millisecond of it",
      state: "claimed",
      attempt: "other",
      now: over - 1,
      verdict: { verdict: "give-back", ms: 1 },
    },
    {
      rule: "is taken over when no such handler can be running",
      state: "claimed",
      attempt: "other",
      now: over,
      verdict: { verdict: "take-over" },
    },
    {
      rule: "is taken over at once where its carrier left some of it to others",
      state: "open",
      attempt: "own",
      now: claimedAt,
      verdict: { verdict: "take-over" },
    },
    {
      rule: "is given back where the claim seems to come from the future",
      state: "claimed",
      attempt: "other",
      now: claimedAt - 1_000,
      verdict: { verdict: "give-back", ms: 66_000 },
    },
  ] as const)("$rule", ({ state, attempt, now, verdict }) => {
    expect(judgeClaim({ state, attempt, claimedAt }, { attempt: "own" }, now, longest)).toEqual(verdict);
  });
});
