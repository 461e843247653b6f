import { beforeAll, expect, test } from "vitest";
import { allFaults, apply } from "./fault.ts";
import { listedTests } from "./listed-tests.ts";

let tests: Awaited<ReturnType<typeof listedTests>>;
beforeAll(async () => {
  tests = await listedTests(allFaults().map(({ file }) => file));
});

test.for(allFaults())("$name still applies, and names a test that is there (npm run faults sees that the test dies)", async (fault) => {
  await apply(fault, ".", "--check");
  const isThere = tests.some(({ file, test: named }) => file === fault.file && named === fault.test);
  expect(isThere, `${fault.file} has no test "${fault.test}"`).toBe(true);
});

/** What a carrier may get wrong so that messages are lost, doubled, shuffled or stuck: no suite is trusted that lets one of these live. */
test.for([
  { fault: "settle before hand-over", patch: "settle-before-hand-over" },
  { fault: "no settle", patch: "no-settle" },
  { fault: "claim key without scope", patch: "claim-key-without-scope" },
  { fault: "claim key without visit", patch: "claim-key-without-path" },
  { fault: "drop on a claim whatever its age or owner", patch: "drop-whatever-its-age" },
  { fault: "take-over without compare-and-set", patch: "take-over-without-compare" },
  { fault: "new plan after a time-out", patch: "new-plan-after-a-time-out" },
  { fault: "release after a time-out", patch: "release-after-a-time-out" },
  { fault: "delete before hand-over in DUPLICATES_OK", patch: "delete-before-hand-over" },
  { fault: "deduplication id = message id", patch: "deduplication-id-is-message-id" },
  { fault: "two messages of one group in one batch call", patch: "two-of-a-group-in-one-call" },
  { fault: "hop test on path length", patch: "hop-test-on-path-length" },
  { fault: "lease by table TTL", patch: "lease-by-table-ttl" },
  { fault: "cursor not atomic", patch: "cursor-not-atomic" },
  { fault: "resting cleared without the counter", patch: "cleared-without-the-counter" },
])("$fault is planted", ({ patch }) => {
  expect(allFaults().map(({ name }) => name)).toContain(patch);
});
