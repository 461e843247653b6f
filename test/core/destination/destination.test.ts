import { readFileSync } from "node:fs";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { isComposite, partsOf } from "../../../core/destination/composite.ts";
import {
  type DestinationKind,
  describeDestinationFault,
  destinationKey,
  destinationOf,
  optionsOf,
  parseDestination,
} from "../../../core/destination/destination.ts";
import { isPattern } from "../../../core/destination/filter.ts";

interface ParsingCase {
  readonly id: string;
  readonly category: string;
  readonly input: { readonly name: string; readonly defaultType: DestinationKind };
  readonly output:
    | string
    | {
        readonly physicalName: string;
        readonly type: string;
        readonly isPattern: boolean;
        readonly isComposite: boolean;
        readonly compositeParts: readonly string[];
        readonly options: Readonly<Record<string, string>> | null;
      };
}

const names = JSON.parse(readFileSync(new URL("../../oracle/activemq/names.json", import.meta.url), "utf8")) as {
  readonly cases: readonly ParsingCase[];
};
const types: Readonly<Record<DestinationKind, string>> = {
  queue: "Queue",
  topic: "Topic",
  "temp-queue": "TempQueue",
  "temp-topic": "TempTopic",
};

describe("destination texts are taken apart as by ActiveMQ 6.3.1", () => {
  test.for(names.cases.filter(({ category }) => category === "destination-parsing"))("$id: $input.name", ({ input, output }) => {
    const parsed = parseDestination(input.name, input.defaultType);
    if (typeof output === "string" || "fault" in parsed) {
      expect(parsed).toEqual({ fault: "empty-destination", text: input.name });
      expect(output).toBe("error:IllegalArgumentException");
      return;
    }
    expect(parsed.name).toBe(output.physicalName);
    expect(types[parsed.kind]).toBe(output.type);
    expect(isPattern(parsed)).toBe(output.isPattern);
    expect(isComposite(parsed)).toBe(output.isComposite);
    if (output.isComposite) expect(new Set(partsOf(parsed).map(destinationKey))).toEqual(new Set(output.compositeParts));
    expect(optionsOf(input.name)).toEqual(output.options ?? {});
  });
});

describe("destinations", () => {
  test("a key reads back as the destination it was made of", () => {
    const texts = fc.tuple(fc.constantFrom("", "queue://", "topic://", "temp-queue://", "temp-topic://"), fc.string({ unit: "binary" }));
    fc.assert(
      fc.property(texts, ([prefix, name]) => {
        const parsed = parseDestination(prefix + name);
        fc.pre(!("fault" in parsed));
        expect(destinationOf(destinationKey(parsed))).toEqual(parsed);
      }),
    );
  });

  test("a destination that is no composite is its only part", () => {
    expect(partsOf(destinationOf("topic://prices"))).toEqual([{ kind: "topic", name: "prices" }]);
  });

  test("parts keep their order, inherit the kind of the whole and come once", () => {
    expect(partsOf(destinationOf("topic://b, queue://a,b,topic://b,,queue://")).map(destinationKey)).toEqual(["topic://b", "queue://a"]);
  });

  test("a fault shows the text and how to write it", () => {
    expect(describeDestinationFault({ fault: "empty-destination", text: "queue://" })).toBe(
      '"queue://" names no destination: write a name, as in queue://orders.new or topic://prices',
    );
  });
});
