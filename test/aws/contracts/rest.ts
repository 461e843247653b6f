import { describe, expect, test } from "vitest";
import type { OpenWorld } from "../../support/worlds/world.ts";

const orders = { kind: "queue", name: "orders" } as const;
const places = [
  { kind: "a destination's queue", place: { to: "queue", destination: orders } },
  { kind: "a private queue", place: { to: "private", queue: "c1" } },
] as const;

export const restContract = (name: string, open: OpenWorld) =>
  describe(`${name} keep the contracts of depths, resting queues and returns`, () => {
    const holding = async (place: (typeof places)[number]["place"], count: number) => {
      const world = await open();
      await world.make(world.us.where.queueOf(place));
      const wire = (i: number) => ({ body: `${i}`, attributes: { n: { type: "Number", value: `${i}` } } });
      await world.us.targets.handOver(Array.from({ length: count }, (_, i) => ({ target: place, wire: wire(i) })));
      return world;
    };
    const queue = places[0].place;

    test("the depth is what is visible, without what is in flight", async () => {
      const { us } = await holding(queue, 12);
      expect(await us.depths.visible({ to: "queue", destination: orders })).toBe(12);
      await us.restingQueue.receive(queue);
      expect(await us.depths.visible({ to: "queue", destination: orders })).toBe(2);
    });

    test("a reading counts what is in flight, too", async () => {
      const { us } = await holding(queue, 12);
      await us.restingQueue.receive(queue);
      expect(await us.depths.read(queue)).toEqual({ visible: 2, all: 12 });
    });

    test("a queue that isn't there holds nothing", async () => {
      const { us } = await open();
      expect(await us.depths.read(queue)).toEqual({ visible: 0, all: 0 });
      expect(await us.depths.visible({ to: "queue", destination: orders })).toBe(0);
      expect(await us.restingQueue.receive(queue)).toEqual([]);
    });

    test.for(places)("$kind is received in tens, each copy once while it is held", async ({ place }) => {
      const { us } = await holding(place, 12);
      const [first, second, third] = [
        await us.restingQueue.receive(place),
        await us.restingQueue.receive(place),
        await us.restingQueue.receive(place),
      ];
      expect([first.length, second.length, third.length]).toEqual([10, 2, 0]);
      expect(new Set([...first, ...second].map(({ body }) => body)).size).toBe(12);
    });

    test("a copy carries what dispatch decodes: id, time, attributes, receive count", async () => {
      const { us } = await holding(queue, 1);
      const [copy] = await us.restingQueue.receive(queue);
      expect(copy).toEqual({
        ref: copy?.id,
        id: expect.stringMatching(/^[0-9a-f-]{36}$/),
        body: "0",
        attributes: { n: { type: "Number", value: "0" } },
        sentAt: expect.any(Number),
        receiveCount: 1,
        receipt: expect.stringMatching(/./),
      });
      expect(copy?.sentAt).toBeGreaterThan(0);
    });

    test("what is given back comes at once, what is removed never again", async () => {
      const { us } = await holding(queue, 3);
      const copies = await us.restingQueue.receive(queue);
      const [gone, ...kept] = copies;
      if (!gone) throw new Error("nothing was received");
      await us.restingQueue.remove(queue, [gone]);
      await us.restingQueue.giveBack(queue, kept);
      const again = await us.restingQueue.receive(queue);
      expect(again.map(({ body }) => body).sort()).toEqual(kept.map(({ body }) => body).sort());
      expect(again.map(({ receiveCount }) => receiveCount)).toEqual([2, 2]);
    });

    test("more than ten copies are removed and given back alike", async () => {
      const { us } = await holding(queue, 24);
      const held = [
        ...(await us.restingQueue.receive(queue)),
        ...(await us.restingQueue.receive(queue)),
        ...(await us.restingQueue.receive(queue)),
      ];
      await us.restingQueue.giveBack(queue, held.slice(0, 12));
      await us.restingQueue.remove(queue, held.slice(12));
      expect(await us.depths.visible({ to: "queue", destination: orders })).toBe(12);
    });

    test("a returned record waits as long as it was told to", async () => {
      const { us } = await holding(queue, 2);
      const [first, second] = await us.restingQueue.receive(queue);
      if (!first || !second) throw new Error("two messages were expected");
      await us.returns.delay(us.where.queueOf(queue).arn, [
        { receipt: first.receipt, seconds: 0 },
        { receipt: second.receipt, seconds: 600 },
      ]);
      expect((await us.restingQueue.receive(queue)).map(({ body }) => body)).toEqual([first.body]);
    });
  });
