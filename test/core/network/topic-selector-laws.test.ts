import fc from "fast-check";
import { expect, test } from "vitest";
import { destinationOf } from "../../../core/destination/destination.ts";
import { decodeConsumed } from "../../../core/message/decode.ts";
import { encodePublish } from "../../../core/message/encode.ts";
import type { Message, NativeAttributes, PropertyValue, WireMessage } from "../../../core/message/message.ts";
import { compileSelector } from "../../../core/selector/compile.ts";
import { aRecord } from "../../support/a-message.ts";
import { sha256 } from "../../support/hash.ts";
import type { SimulatedClient } from "../../support/simulator/client.ts";
import { nativeSubscriber } from "../../support/simulator/native.ts";
import { simulate } from "../../support/simulator/network.ts";
import { networkOf, pair } from "../../support/simulator/topologies.ts";

const topic = destinationOf("topic://prices");
const minute = 60_000;

/** Some are filter policies for anybody's messages, some for our clients' only, some never. */
const selectors = fc.constantFrom(
  undefined,
  "kind = 'x'",
  "kind = 'y'",
  "kind IN ('x', 'z')",
  "size > 2",
  "kind = 'x' AND size <= 2",
  "kind <> 'x' OR size IS NULL",
  "kind LIKE '%y'",
  "size * 2 = 4",
  "JMSPriority > 4",
  "NOT (kind = 'y')",
);
const values: fc.Arbitrary<PropertyValue> = fc.oneof(
  fc.constantFrom("x", "y", "z", "xy", "3").map((value): PropertyValue => ({ type: "string", value })),
  fc.constantFrom(1, 2, 3).map((value): PropertyValue => ({ type: "int", value })),
  fc.constant<PropertyValue>({ type: "null" }),
);
type Produced = Partial<Pick<Message, "properties" | "priority">>;
const produced: fc.Arbitrary<Produced> = fc.record({
  properties: fc.dictionary(fc.constantFrom("kind", "size", "$odd"), values, { maxKeys: 3 }),
  priority: fc.constantFrom(4, 9),
});
const plain: fc.Arbitrary<NativeAttributes> = fc.dictionary(
  fc.constantFrom("kind", "size"),
  fc.oneof(
    fc.constantFrom("x", "y", "3").map((value) => ({ type: "String", value })),
    fc.constantFrom("1", "3").map((value) => ({ type: "Number", value })),
  ),
  { maxKeys: 2 },
);

type Step =
  | { readonly does: "joins"; readonly at: "a" | "b"; readonly selector: string | undefined }
  | { readonly does: "leaves"; readonly who: number }
  | { readonly does: "waits"; readonly minutes: number }
  | { readonly does: "publishes"; readonly at: "a" | "b"; readonly message: Produced | undefined; readonly attributes: NativeAttributes };
const at = fc.constantFrom("a" as const, "b" as const);
const publishing = fc.record({
  does: fc.constant("publishes" as const),
  at,
  message: fc.option(produced, { nil: undefined }),
  attributes: plain,
});
const steps: fc.Arbitrary<Step> = fc.oneof(
  { weight: 3, arbitrary: fc.record({ does: fc.constant("joins" as const), at, selector: selectors }) },
  { weight: 1, arbitrary: fc.record({ does: fc.constant("leaves" as const), who: fc.nat() }) },
  { weight: 1, arbitrary: fc.record({ does: fc.constant("waits" as const), minutes: fc.constantFrom(5, 30) }) },
  { weight: 6, arbitrary: publishing },
);

const asConsumed = (wire: WireMessage): Message => {
  const context = { self: "a" as never, verify: () => "invalid" as const, hash: sha256, destination: topic };
  const arrival = decodeConsumed(aRecord(wire), context);
  if (arrival.arrival !== "message") throw new Error(JSON.stringify(arrival));
  return arrival.message;
};

test("whoever comes and goes with whatever selectors, each subscriber of a topic here and abroad gets exactly what its selector accepts, once", async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(steps, { minLength: 8, maxLength: 25 }),
      fc.constantFrom("any" as const, "spanmq" as const),
      fc.boolean(),
      fc.boolean(),
      async (history, producers, isObserved, conduitSubscriptions) => {
        const declared = { topics: [{ name: "prices", producers }] };
        const net = await simulate(networkOf(pair, { conduitSubscriptions }, { brokers: { a: declared, b: declared } }));
        if (isObserved) nativeSubscriber(net, "b", "topic://prices"); // so that b publishes what comes by the link
        const subscribers: { readonly client: SimulatedClient; readonly selector: string | undefined; readonly wanted: string[] }[] = [];
        const gone = new Set<SimulatedClient>();
        let sent = 0;
        for (const step of history) {
          if (step.does === "joins") {
            await net.run(minute); // what was published before isn't on its way any more
            const client = net.connect(step.at);
            await client.consume("topic://prices", step.selector === undefined ? {} : { selector: step.selector });
            subscribers.push({ client, selector: step.selector, wanted: [] });
            await net.run(minute);
          } else if (step.does === "leaves" && subscribers.length > 0) {
            const leaving = subscribers[step.who % subscribers.length]?.client as SimulatedClient;
            await net.run(minute);
            if (!gone.has(leaving)) await leaving.close();
            gone.add(leaving);
          } else if (step.does === "waits") await net.run(step.minutes * minute);
          else if (step.does === "publishes") {
            const text = `m-${++sent}`;
            const isOurs = step.message !== undefined || producers === "spanmq";
            const body = { type: "text", text } as const;
            const wire = isOurs
              ? encodePublish({ destination: topic, body, timestamp: net.now(), ...step.message })
              : { body: text, attributes: step.attributes };
            net.cloud.topics.publish(net.broker(step.at).where.topicOf(topic).arn, wire);
            const message = asConsumed(wire);
            for (const { client, selector, wanted } of subscribers)
              if (!gone.has(client) && (selector === undefined || compileSelector(selector)(message))) wanted.push(text);
          }
        }
        await net.run(2 * minute);
        for (const { client, wanted } of subscribers) expect(client.bodies().toSorted()).toEqual(wanted.toSorted());
        expect(net.problems()).toEqual([]);
      },
    ),
    { numRuns: 60 },
  );
});
