import { describe, expect, test } from "vitest";
import { queueAt } from "../../../aws/whereabouts.ts";
import type { Resource } from "../../../core/ports.ts";
import type { BrokerInWorld, OpenWorld } from "../../support/worlds/world.ts";

const orders: Resource = { make: "destination", destination: { kind: "queue", name: "orders" } };
const prices: Resource = { make: "destination", destination: { kind: "topic", name: "prices" } };
const inbox: Resource = { make: "own-queue", queue: "c1/1" };

export const madeThingsContract = (name: string, open: OpenWorld) =>
  describe(`${name} keep the contract of made things`, () => {
    const furnished = async () => {
      const world = await open();
      for (const resource of [orders, prices, inbox]) {
        await world.us.resources.make(resource);
        await world.eu.resources.make(resource);
      }
      return world;
    };
    const namesOf = async ({ made }: BrokerInWorld) =>
      (await made.list()).map(({ service, name: named }) => `${service} ${named}`).toSorted();
    const allOf = ({ where: { own } }: BrokerInWorld) =>
      [`sns ${own.topic("prices")}`, `sqs ${own.queue("orders")}`, `sqs ${own.ownQueue("c1/1")}`].toSorted();

    test("each broker lists its queues and topics and no other's", async () => {
      const { us, eu } = await furnished();
      expect([await namesOf(us), await namesOf(eu)]).toEqual([allOf(us), allOf(eu)]);
    });

    test("what control didn't make isn't listed: the house, what is declared, what others made under such names", async () => {
      const { us, make } = await furnished();
      const { own } = us.where;
      for (const queue of [own.ingressQueue, own.queue("declared"), own.ownQueue("by.hand")]) await make(queueAt(own, queue));
      await make(us.where.topicOf({ kind: "topic", name: "declared" }));
      expect(await namesOf(us)).toEqual(allOf(us));
    });

    test("what was declared first stays nobody's to remove, though control made sure of it", async () => {
      const { us, make } = await open();
      await make(queueAt(us.where.own, us.where.own.queue("orders")));
      await us.resources.make(orders);
      expect(await namesOf(us)).toEqual([]);
    });

    test("a removed thing is gone with its subscriptions, removing it again is fine, and nothing else goes", async () => {
      const { us, eu } = await furnished();
      await us.subscriptions.subscribe({ kind: "topic", name: "prices" }, { to: "own-queue", queue: "c1/1" });
      const things = await us.made.list();
      for (const thing of [...things, ...things]) await us.made.remove(thing);
      expect([await namesOf(us), await namesOf(eu)]).toEqual([[], allOf(eu)]);
    });
  });
