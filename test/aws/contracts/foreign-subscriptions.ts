import { describe, expect, test } from "vitest";
import { queueAt } from "../../../aws/whereabouts.ts";
import type { Destination } from "../../../core/destination/destination.ts";
import { type OpenWorld, usToEu } from "../../support/worlds/world.ts";

const prices: Destination = { kind: "topic", name: "prices" };

export const foreignSubscriptionsContract = (name: string, open: OpenWorld) =>
  describe(`${name} keep the contract of foreign subscriptions`, () => {
    /** The topic with our own subscriptions: a client's queue, and the link's inbound in the other region. */
    const furnished = async () => {
      const world = await open();
      const { where, subscriptions } = world.us;
      const client = { to: "own-queue", queue: "conn.c1.topic" } as const;
      const inbound = where.inbound(usToEu);
      if (!inbound) throw new Error("the world has no link");
      for (const place of [where.topicOf(prices), where.queueOf(client), inbound]) await world.make(place);
      await subscriptions.subscribe(prices, client);
      await subscriptions.subscribe(prices, { to: "link", link: usToEu });
      return world;
    };

    test("ours aren't listed", async () => {
      const { us } = await furnished();
      expect(await us.foreign.list(prices)).toEqual([]);
    });

    test("anybody else's are, until he unsubscribes", async () => {
      const { us, make, subscribe } = await furnished();
      const theirs = queueAt(us.where.own, "somebody-elses");
      await make(theirs);
      const arn = await subscribe(us.where.topicOf(prices), theirs);
      expect(await us.foreign.list(prices)).toEqual([arn]);
      await us.subscriptions.unsubscribe(arn);
      expect(await us.foreign.list(prices)).toEqual([]);
    });

    test("a queue of a destination is somebody else's, and so is what our peer's topics have", async () => {
      const { us, eu, make, subscribe } = await furnished();
      const queue = us.where.queueOf({ to: "queue", destination: { kind: "queue", name: "prices.audit" } });
      await make(queue);
      await make(eu.where.topicOf(prices));
      const arn = await subscribe(us.where.topicOf(prices), queue);
      expect([await us.foreign.list(prices), await eu.foreign.list(prices)]).toEqual([[arn], []]);
    });
  });
