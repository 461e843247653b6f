import { existsSync } from "node:fs";
import { expect, test } from "vitest";
import { allFaults, apply } from "./fault.ts";

test.for(allFaults())(
  "$name still applies, and names a test file that is there (npm run faults sees that the test dies)",
  async (fault) => {
    await apply(fault, ".", "--check");
    expect(existsSync(fault.file)).toBe(true);
  },
);
