import { describe, expect, test } from "vitest";
import { whereaboutsOf } from "../../../../aws/whereabouts.ts";
import { type SweepPorts, sweep, undrainedBy } from "../../../../core/broker/sweep/sweep.ts";
import type { BrokerSlice } from "../../../../core/config/slice.ts";
import type { OutgoingEvent } from "../../../../core/ports.ts";
import { sliceOf } from "../../../support/a-slice.ts";
import { sha256 } from "../../../support/hash.ts";
import { memoryBrain } from "../../../support/memory/brain.ts";
import { memoryCloud } from "../../../support/memory/cloud.ts";
import { memoryPorts } from "../../../support/memory/ports.ts";
import { networkOf } from "../../../support/simulator/topologies.ts";

const sliceWith = (broker: object = {}, ways = "a <-> b, c -> a, b -> c") => sliceOf(networkOf(ways, {}, { brokers: { a: broker } }), "a");

/** Broker a, deployed with this slice: what is done to it, in order. */
const ending = async (slice: BrokerSlice = sliceWith()) => {
  const cloud = memoryCloud(() => 0);
  const brain = memoryBrain();
  await brain.write("broker", "", "broker", { slice, version: 1, keys: [], peerKeys: {} }, 0);
  const { made, contents, resources } = memoryPorts(cloud, slice, sha256);
  const { own } = whereaboutsOf(slice, sha256);
  const done: string[] = [];
  const told: OutgoingEvent[] = [];
  let now = 100;
  const ports: SweepPorts = {
    brain,
    made: {
      list: made.list,
      remove: async (thing) => {
        done.push(`remove ${thing.name}`);
        await made.remove(thing);
      },
    },
    contents: {
      messagesIn: async (queue) => {
        done.push(`read ${queue}`);
        return contents.messagesIn(queue);
      },
    },
    events: {
      send: async (events) => {
        done.push(...events.map(({ to, event }) => `${event.event} to ${to}`));
        told.push(...events);
        return { dropped: events.length };
      },
    },
    protection: { lift: async () => void done.push("lift protection") },
    key: { ensure: () => Promise.reject(new Error("no key is made at the end")), remove: async () => void done.push("remove key") },
    clock: () => ++now,
    sleep: async (ms) => void done.push(`sleep ${ms}`),
    depthLag: 60_000,
  };
  const closing = async () => (await brain.read("broker", "", "broker"))?.value.closing;
  const send = (queue: string) => {
    cloud.queues.create(own.queueArn(queue));
    cloud.queues.send(own.queueArn(queue), { body: "left", attributes: {} });
  };
  return { ports, slice, own, done, told, closing, send, resources, cloud, brain };
};

const prices = { make: "destination", destination: { kind: "topic", name: "prices" } } as const;
const orders = { make: "destination", destination: { kind: "queue", name: "orders" } } as const;
const inbox = { make: "own-queue", queue: "conn.c1" } as const;
const readings = (done: readonly string[]) => done.filter((step) => step.startsWith("read "));

describe("the sweep of a broker", () => {
  test("closes it, tells each peer once, waits, looks, removes what was made, then protection and key", async () => {
    const { ports, slice, own, done, told, closing, resources, cloud } = await ending();
    for (const thing of [prices, orders, inbox]) await resources.make(thing);
    expect(await sweep(ports, slice, own)).toEqual([]);
    expect(done.filter((step) => !step.startsWith("read "))).toEqual([
      "closing to b",
      "closing to c",
      "sleep 60000",
      "remove spanmq-test-a-t-prices",
      "remove spanmq-test-a-q-orders",
      "remove spanmq-test-a-s-conn-c1",
      "lift protection",
      "remove key",
    ]);
    expect(readings(done)).toEqual([
      "read spanmq-test-a-sys-ingress",
      "read spanmq-test-a-sys-feed",
      "read spanmq-test-a-in-b-to_-a",
      "read spanmq-test-a-in-c-to_-a",
      "read spanmq-test-a-sys-dead-letters",
      "read spanmq-test-a-sys-undelivered-to_-b",
      "read spanmq-test-a-q-orders",
      "read spanmq-test-a-s-conn-c1",
    ]);
    expect(await closing()).toBe(101);
    expect(told[0]).toEqual({ to: "b", event: { event: "closing", from: "a", counter: 102 } });
    expect([...cloud.made]).toEqual([]);
  });

  test.for([
    { rule: "a declared queue", queue: "spanmq-test-a-q-declared" },
    { rule: "a queue made on first use", queue: "spanmq-test-a-q-orders" },
    { rule: "a client's own queue", queue: "spanmq-test-a-s-conn-c1" },
    { rule: "an inbound", queue: "spanmq-test-a-in-b-to_-a" },
    { rule: "ingress", queue: "spanmq-test-a-sys-ingress" },
    { rule: "undelivered", queue: "spanmq-test-a-sys-undelivered-to_-b" },
    { rule: "the dead letters", queue: "spanmq-test-a-sys-dead-letters" },
  ])(
    "is refused for a message in $rule: it works on, nothing is removed, and as after a deployment its links are greeted",
    async ({ queue }) => {
      const { ports, slice, own, done, closing, send, resources } = await ending(sliceWith({ queues: ["declared"] }));
      for (const thing of [orders, inbox]) await resources.make(thing);
      send(queue);
      expect(await sweep(ports, slice, own)).toEqual([{ queue, messages: 1 }]);
      expect(await closing()).toBeUndefined();
      expect(done.at(-1)).toBe("deployed to a");
      expect(done.filter((step) => /remove|lift/.test(step))).toEqual([]);
    },
  );

  test.for([
    { rule: "control's events", queue: "spanmq-test-a-sys-control" },
    { rule: "a queue that somebody else made under such a name", queue: "spanmq-test-a-q-handmade" },
    { rule: "another broker's messages", queue: "spanmq-test-b-q-orders" },
  ])("isn't refused for $rule, and leaves that queue alone", async ({ queue }) => {
    const { ports, slice, own, send, cloud } = await ending();
    send(queue);
    expect(await sweep(ports, slice, own)).toEqual([]);
    expect(cloud.queues.depth(own.queueArn(queue))?.visible).toBe(1);
  });

  test("with the policy destroy takes messages along, and still waits until the peers have stopped", async () => {
    const { ports, slice, own, done, send, resources, cloud } = await ending(sliceWith({ removalPolicy: "destroy" }));
    await resources.make(orders);
    send("spanmq-test-a-q-orders");
    expect(await sweep(ports, slice, own)).toEqual([]);
    expect([done.slice(2, 4), readings(done), [...cloud.made]]).toEqual([["sleep 60000", "remove spanmq-test-a-q-orders"], [], []]);
  });

  test("of a slice written before there was a policy refuses too", async () => {
    const { removalPolicy: _, ...older } = sliceWith();
    const { ports, own, send } = await ending();
    send("spanmq-test-a-sys-ingress");
    expect(await sweep(ports, older as BrokerSlice, own)).toHaveLength(1);
  });

  test("that can't look reopens the broker and says why", async () => {
    const { ports, slice, own, done, closing } = await ending();
    const made = { ...ports.made, list: () => Promise.reject(new Error("not allowed to list")) };
    await expect(sweep({ ...ports, made }, slice, own)).rejects.toThrow("not allowed to list");
    expect([await closing(), done.at(-1)]).toEqual([undefined, "deployed to a"]);
  });

  test("that broke off while it removed stays closed, and is finished by the next one", async () => {
    const { ports, slice, own, done, closing, resources, cloud } = await ending();
    for (const thing of [prices, orders]) await resources.make(thing);
    const protection = { lift: () => Promise.reject(new Error("throttled")) };
    await expect(sweep({ ...ports, protection }, slice, own)).rejects.toThrow("throttled");
    expect([await closing(), [...cloud.made], done.includes("remove key")]).toEqual([101, [], false]);
    expect(await sweep(ports, slice, own)).toEqual([]);
    expect([await closing(), done.slice(-2)]).toEqual([101, ["lift protection", "remove key"]]);
  });

  test("of a broker that was never deployed finds nothing to close", async () => {
    const { ports, slice, own, brain } = await ending();
    const stored = await brain.read("broker", "", "broker");
    await brain.write("broker", "", "broker", undefined, stored?.revision ?? 0);
    expect(await sweep(ports, slice, own)).toEqual([]);
    expect(await brain.read("broker", "", "broker")).toBeUndefined();
  });
});

describe("a deployment that takes queues away", () => {
  const nothing = { running: [], left: [] };
  const rich = sliceWith({ queues: ["declared", "other"] });
  const poor = sliceWith({ queues: ["other"] }, "c -> a, b -> c");

  test.for([
    { rule: "a declared queue", queue: "spanmq-test-a-q-declared" },
    { rule: "an inbound", queue: "spanmq-test-a-in-b-to_-a" },
    { rule: "undelivered", queue: "spanmq-test-a-sys-undelivered-to_-b" },
  ])("is refused for a message in $rule, read when figures can be believed", async ({ queue }) => {
    const { ports, own, done, send } = await ending(rich);
    send(queue);
    expect(await undrainedBy(ports, rich, poor, own)).toEqual({ running: [], left: [{ queue, messages: 1 }] });
    expect(done[0]).toBe("sleep 60000");
  });

  test.for([
    { rule: "once they are empty", after: poor, queue: undefined },
    { rule: "whatever stays in queues that stay", after: poor, queue: "spanmq-test-a-q-other" },
    { rule: "with the policy destroy", after: { ...poor, removalPolicy: "destroy" as const }, queue: "spanmq-test-a-q-declared" },
    { rule: "when it is rolled back: that is what was deployed last", after: rich, queue: "spanmq-test-a-q-declared" },
  ])("passes $rule", async ({ after, queue }) => {
    const { ports, own, send } = await ending(rich);
    if (queue) send(queue);
    expect(await undrainedBy(ports, rich, after, own)).toEqual(nothing);
  });

  test("costs no time where it takes none away", async () => {
    const { ports, own, done } = await ending(rich);
    expect(await undrainedBy(ports, rich, sliceWith({ queues: ["declared", "other", "more"] }), own)).toEqual(nothing);
    expect(done).toEqual([]);
  });
});
