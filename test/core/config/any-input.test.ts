import fc from "fast-check";
import { distance } from "fastest-levenshtein";
import { describe, expect, test } from "vitest";
import { describeConfigFault } from "../../../core/config/fault.ts";
import { parseNetwork } from "../../../core/config/parse-network.ts";
import { brokerSchema } from "../../../core/config/schema/broker.ts";
import { connectorSchema } from "../../../core/config/schema/connector.ts";
import { jmsBridgeSchema } from "../../../core/config/schema/jms-bridge.ts";
import { networkSchema } from "../../../core/config/schema/network.ts";

const anything = fc.anything({ withBigInt: true, withDate: true, withMap: true, withNullPrototype: true, withSparseArray: true });
const keysOf = ({ shape }: { shape: object }) => Object.keys(shape);

/** An object with some keys of the schema, and perhaps others, whose values are mostly nonsense. */
const resembling = (schema: { shape: object }, values: Record<string, fc.Arbitrary<unknown>>): fc.Arbitrary<unknown> =>
  fc
    .tuple(fc.subarray(keysOf(schema)), fc.dictionary(fc.string(), anything, { maxKeys: 2 }))
    .chain(([keys, others]) =>
      fc
        .record({ ...Object.fromEntries(keys.map((key) => [key, fc.oneof(anything, values[key] ?? anything)])) })
        .map((known) => ({ ...known, ...others })),
    );

const id = fc.constantFrom("us", "eu", "US", "__proto__", "constructor", "");
const destination = fc.constantFrom("a", "a.>", "topic://t", "queue://", "temp-queue://x", "a,b", "x://y", "q?a=b");
const connector = resembling(connectorSchema, {
  to: id,
  name: fc.constantFrom("x", "y"),
  duplex: fc.boolean(),
  excludedDestinations: fc.array(destination),
});
const broker = resembling(brokerSchema, {
  region: fc.constant("us-east-1"),
  queues: fc.array(destination),
  topics: fc.array(destination),
  consumers: fc.array(fc.oneof(anything, fc.record({ destination, priority: anything }))),
  networkConnectors: fc.array(connector, { maxLength: 4 }),
});
const end = fc.oneof(
  fc.record({ broker: id, destination }, { requiredKeys: [] }),
  fc.record({ arn: fc.constantFrom("arn:aws:sqs:us-east-1:123456789012:q", "q") }),
);
const jmsBridge = resembling(jmsBridgeSchema, { name: fc.constantFrom("x", "y"), source: end, target: end });
const network = resembling(networkSchema, {
  network: fc.constant("n"),
  brokers: fc.array(fc.tuple(id, broker), { maxLength: 3 }).map((entries) => Object.fromEntries(entries)),
  jmsBridges: fc.array(fc.oneof(anything, jmsBridge), { maxLength: 3 }),
  links: fc.array(fc.oneof(anything, fc.constantFrom("us -> eu", "eu <-> us", "us <-> us", "us"))),
});

describe("whatever the input is", () => {
  test("it is answered, with sentences or with a network", () => {
    fc.assert(
      fc.property(fc.oneof(anything, network), (input) => {
        const parsed = parseNetwork(input, { distance, account: "123456789012" });
        if (parsed.ok) return;
        const sentences = parsed.faults.map(describeConfigFault);
        expect(sentences).not.toEqual([]);
        expect(sentences.filter((sentence) => !/^(`.*`|the configuration)( \(.*\))?: ./s.test(sentence))).toEqual([]);
        expect(new Set(sentences).size).toBe(sentences.length);
      }),
      { numRuns: 2_000 },
    );
  });

  test("an input that holds itself is answered too", () => {
    const input: Record<string, unknown> = { network: "n" };
    input.brokers = { us: input };
    input.self = input;
    expect(parseNetwork(input, { distance })).toMatchObject({ ok: false });
  });
});
