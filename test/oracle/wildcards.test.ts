import { describe, expect, test } from "vitest";
import { isComposite } from "../../core/destination/composite.ts";
import { type Destination, type DestinationKind, destinationKey, parseDestination } from "../../core/destination/destination.ts";
import { compileFilter, isPattern } from "../../core/destination/filter.ts";
import { isMissing, recorded } from "./recording.ts";

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

const file = "activemq/wildcards.json";
const cases = recorded<WildcardCase>(file, "cases");

/** ActiveMQ prints a composite without its kind. */
const qualified = (destination: Destination) => (isComposite(destination) ? destination.name : destinationKey(destination));

describe(`destination filters do what real brokers did: ${file}`, () => {
  if (!cases) test.todo(isMissing(file));

  test.for(cases ?? [])("$id ($category): $pattern against $destination", (seen) => {
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
