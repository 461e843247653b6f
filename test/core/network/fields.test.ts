import { describe, expect, test } from "vitest";
import { destinationOf } from "../../../core/destination/destination.ts";
import { encodeMessage } from "../../../core/message/encode.ts";
import type { Message } from "../../../core/message/message.ts";
import { aMessage } from "../../support/a-message.ts";
import { sha256 } from "../../support/hash.ts";
import { type SimulatedNetwork, simulate } from "../../support/simulator/network.ts";
import { chain, networkOf } from "../../support/simulator/topologies.ts";

const timestamp = Date.UTC(2025, 5, 1);
const timeToLive = 365 * 86_400_000;
const sent = {
  timestamp,
  expiration: timestamp + timeToLive,
  priority: 7,
  deliveryMode: "NON_PERSISTENT",
  correlationId: "c-1",
  replyTo: "queue://replies",
  type: "order",
  groupId: "g-1",
  groupSequence: 3,
  userId: "u-1",
  connection: "conn-0",
  properties: {
    flag: { type: "boolean", value: true },
    byte: { type: "byte", value: -7 },
    short: { type: "short", value: 300 },
    int: { type: "int", value: 70_000 },
    long: { type: "long", value: "9007199254740993" },
    float: { type: "float", value: 1.5 },
    double: { type: "double", value: 0.1 },
    text: { type: "string", value: "é\0" },
    nothing: { type: "null" },
    originalExpiration: { type: "string", value: "1" },
  },
} as const satisfies Partial<Message>;

interface Way {
  readonly destination: string;
  readonly hops: number;
}
const ways: readonly Way[] = ["queue://TEST.FOO", "topic://TEST.FOO"].flatMap((destination) =>
  [1, 2].map((hops) => ({ destination, hops })),
);

/** A chain with a consumer at its far end, and what it got of what was sent at the near end. */
const crossed = async ({ destination, hops }: Way, send: (net: SimulatedNetwork) => void) => {
  const net = await simulate(networkOf(chain(hops + 1), { networkTTL: hops }, { brokers: { a: { topics: ["TEST.FOO"] } } }));
  const brokers = ["a", "b", "c"].slice(0, hops + 1);
  const reader = net.connect(brokers.at(-1) ?? "");
  await reader.consume(destination);
  await net.run();
  const sentAt = net.now();
  send(net);
  await net.run();
  expect(net.problems()).toEqual([]);
  expect(reader.received.length).toBe(1);
  const ids = new Set(brokers.flatMap((id) => net.broker(id).outcomes.flatMap(({ messageId = [] }) => messageId)));
  return { message: reader.received[0]?.message ?? aMessage(), ids: [...ids], path: brokers.slice(0, hops), sentAt };
};
type Crossed = Awaited<ReturnType<typeof crossed>>;

describe.for(ways)("FWD-4: after $hops hops to $destination", (way) => {
  let crossing: Promise<Crossed> | undefined;
  const arrived = (): Promise<Crossed> => {
    crossing ??= crossed(way, (net) =>
      way.destination.startsWith("queue")
        ? net.send("a", way.destination, ["body"], sent)
        : net.publish("a", way.destination, ["body"], sent),
    );
    return crossing;
  };

  interface Field {
    readonly field: keyof Message;
    readonly becomes: string;
    readonly expected: (crossed: Crossed) => unknown;
  }
  const kept = (field: keyof typeof sent): Field => ({ field, becomes: "is the producer's", expected: () => sent[field] });
  const fields: readonly Field[] = [
    { field: "id", becomes: "is the same at every broker", expected: ({ ids: [first, ...others] }) => others.length === 0 && first },
    { field: "brokerPath", becomes: "names the brokers it left", expected: ({ path }) => path },
    { field: "destination", becomes: "is where it was sent", expected: () => destinationOf(way.destination) },
    { field: "originalDestination", becomes: "is none where none was", expected: () => undefined },
    { field: "body", becomes: "is the producer's", expected: () => ({ type: "text", text: "body" }) },
    { field: "native", becomes: "has no attributes of ours", expected: () => ({}) },
    { field: "copies", becomes: "is none", expected: () => 0 },
    { field: "expiration", becomes: "is counted from when it was taken", expected: ({ sentAt }) => sentAt + timeToLive },
    ...Object.keys(sent)
      .filter((field) => field !== "expiration")
      .map((field) => kept(field as keyof typeof sent)),
  ];

  test.for(fields)("$field $becomes", async ({ field, expected }) => {
    const result = await arrived();
    expect(result.message[field]).toEqual(expected(result));
  });

  test("there is no other field", async () => {
    const { message } = await arrived();
    expect(fields.map(({ field }) => field)).toEqual(expect.arrayContaining(Object.keys(message)));
  });

  test("what a broker vouched for before keeps its id, its original destination and its bytes", async () => {
    const before = aMessage({
      ...sent,
      id: "elsewhere-1",
      destination: destinationOf(way.destination),
      originalDestination: destinationOf("topic://VirtualTopic.FOO"),
      body: { type: "bytes", bytes: new Uint8Array([0, 255, 10]) },
      native: { plain: { type: "Number", value: "7" } },
    });
    const { message, path } = await crossed(way, (net) => {
      const { slice, where, life } = net.broker("a");
      const sender = { broker: slice.broker, signer: life.key.signer, hash: sha256 };
      net.cloud.queues.send(where.own.queueArn(where.own.ingressQueue), encodeMessage(before, sender));
    });
    expect(message).toEqual({ ...before, brokerPath: path });
  });
});

describe("JMSXDeliveryCount", () => {
  /** A consumer whose handler fails so often. */
  const failing = (times: number) => {
    let failed = 0;
    return { acks: true, handle: async () => (failed++ < times ? "again" : "done") } as const;
  };

  test.for(ways)("over $hops hops to $destination begins at 1 and counts what a consumer was handed", async ({ destination, hops }) => {
    const net = await simulate(networkOf(chain(hops + 1), { networkTTL: hops }, { brokers: { a: { topics: ["TEST.FOO"] } } }));
    const reader = net.connect("abc"[hops] ?? "");
    await reader.consume(destination, {}, failing(2));
    await net.run();
    if (destination.startsWith("queue")) net.send("a", destination, ["m"]);
    else net.publish("a", destination, ["m"]);
    await net.run();
    expect(reader.received.map(({ deliveryCount }) => deliveryCount)).toEqual([1, 2, 3]);
  });

  test("a subscriber's selector judges what comes again as it did the first time: nothing of its own is passed over", async () => {
    const net = await simulate(networkOf("a -> b", {}, { brokers: { a: { topics: ["TEST.FOO"] } } }));
    const reader = net.connect("b");
    await reader.consume("topic://TEST.FOO", { selector: "JMSRedelivered = FALSE AND JMSXDeliveryCount = 1" }, failing(1));
    await net.run();
    net.publish("a", "topic://TEST.FOO", ["m"]);
    await net.run();
    expect([reader.bodies(), reader.passedOver]).toEqual([["m", "m"], []]);
  });
});
