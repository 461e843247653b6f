import { describe, expect, test } from "vitest";
import { queueAt } from "../../../aws/whereabouts.ts";
import { type OpenWorld, us as usId } from "../../support/worlds/world.ts";

export const contentsContract = (name: string, open: OpenWorld) =>
  describe(`${name} keep the contract of contents`, () => {
    test("messages count that are visible, in flight, or delayed", async () => {
      const { us, make } = await open();
      const { own } = us.where;
      const place = { to: "queue", destination: { kind: "queue", name: "orders" } } as const;
      await make(queueAt(own, own.queue("orders")));
      expect(await us.contents.messagesIn(own.queue("orders"))).toBe(0);
      const wire = { body: "x", attributes: {} };
      await us.targets.handOver(["x", "y", "z"].map((body) => ({ target: place, wire: { ...wire, body } })));
      expect(await us.contents.messagesIn(own.queue("orders"))).toBe(3);
      const taken = await us.restingQueue.receive(place);
      expect(taken.length).toBeGreaterThan(0);
      expect(await us.contents.messagesIn(own.queue("orders"))).toBe(3);

      await make(queueAt(own, own.controlQueue));
      await us.events.send([{ to: usId, event: { event: "judge", destination: "queue://orders" }, delaySeconds: 900 }]);
      expect(await us.contents.messagesIn(own.controlQueue)).toBe(1);
    });

    test("a queue that isn't there holds none", async () => {
      const { us } = await open();
      expect(await us.contents.messagesIn(us.where.own.queue("none"))).toBe(0);
    });
  });
