import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { isComposite } from "../../../core/destination/composite.ts";
import { type Destination, type DestinationKind, destinationKey, parseDestination } from "../../../core/destination/destination.ts";
import { compileFilter, isPattern } from "../../../core/destination/filter.ts";

interface WildcardCase {
  readonly id: string;
  readonly category: string;
  readonly pattern: string;
  readonly patternDefaultType: DestinationKind;
  readonly destination: string;
  readonly destinationDefaultType: DestinationKind;
  readonly parsedPattern?: string;
  readonly parsedDestination?: string;
  readonly isPattern?: boolean;
  readonly matches: boolean | "error";
  readonly errorPhase?: "pattern" | "destination";
}

const oracle = JSON.parse(readFileSync(new URL("../../oracle/activemq/wildcards.json", import.meta.url), "utf8")) as {
  readonly count: number;
  readonly cases: readonly WildcardCase[];
};

/** ActiveMQ prints a composite without its kind. */
const qualified = (destination: Destination) => (isComposite(destination) ? destination.name : destinationKey(destination));

describe("destination filters do what ActiveMQ 6.3.1 did", () => {
  test("the oracle is whole", () => {
    expect(oracle.cases).toHaveLength(263);
  });

  test.for(oracle.cases)("$id ($category): $pattern against $destination", (seen) => {
    const pattern = parseDestination(seen.pattern, seen.patternDefaultType);
    const candidate = parseDestination(seen.destination, seen.destinationDefaultType);
    if (seen.errorPhase === "pattern") {
      expect(pattern).toEqual({ fault: "empty-destination", text: seen.pattern });
      return;
    }
    if ("fault" in pattern) throw new Error(`${seen.pattern} should parse`);
    expect(qualified(pattern)).toBe(seen.parsedPattern);
    expect(isPattern(pattern)).toBe(seen.isPattern);
    if (seen.errorPhase === "destination") {
      expect(candidate).toEqual({ fault: "empty-destination", text: seen.destination });
      return;
    }
    if ("fault" in candidate) throw new Error(`${seen.destination} should parse`);
    expect(qualified(candidate)).toBe(seen.parsedDestination);
    expect(compileFilter(pattern)(candidate)).toBe(seen.matches);
  });
});
