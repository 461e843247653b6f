import { describe, expect, test } from "vitest";
import { resourcePlace } from "../../../aws/resources.ts";
import { queueAt } from "../../../aws/whereabouts.ts";
import type { HandOver, RestingCopy } from "../../../core/ports.ts";
import type { OpenWorld } from "../../support/worlds/world.ts";

const orders = { to: "queue", destination: { kind: "queue", name: "orders.fifo" } } as const;
const prices = { kind: "topic", name: "prices.fifo" } as const;
const accepted = { answer: "accepted" };

/** `1a` is message a of group 1; its deduplication id is its body unless told otherwise. */
const numbered = (target: HandOver["target"], body: string, deduplicationId = body): HandOver => ({
  target,
  wire: { body, attributes: {} },
  order: { group: body.slice(0, 1), deduplicationId },
});
const bodies = (records: readonly { readonly body: string }[]) => records.map(({ body }) => body);
/** The bodies of each group, in the order in which they came. */
const grouped = (all: readonly string[]) => Map.groupBy(all, (body) => body.slice(0, 1));

/** Against SQS, against fauxqs (whose receives answer one message of a group) and in memory (which answers several, as SQS does). */
export const orderContract = (name: string, open: OpenWorld) =>
  describe(`${name} keep the contract of order`, () => {
    const holding = async (...all: readonly string[]) => {
      const world = await open();
      await world.make(world.us.where.queueOf(orders));
      for (const body of all) await world.us.targets.handOver([numbered(orders, body)]);
      return world;
    };

    test("C23: while a message of a group is in flight no later one is handed out, and none of another group waits", async () => {
      const { us } = await holding("1a", "2a", "1b", "1c", "2b");
      const first = await us.restingQueue.receive(orders);
      expect(bodies(first)).toEqual(expect.arrayContaining(["1a", "2a"]));
      expect(await us.restingQueue.receive(orders)).toEqual([]);
      const ofTwo = first.filter(({ group }) => group === "2");
      await us.restingQueue.remove(orders, ofTwo);
      expect(bodies(await us.restingQueue.receive(orders)).filter((body) => body.startsWith("1"))).toEqual([]);
    });

    test("taken one after the other, each group comes in its order, whatever was given back meanwhile", async () => {
      const { us } = await holding("1a", "2a", "1b", "3a", "2b", "1c");
      const taken: RestingCopy[] = [];
      for (let round = 0; round < 8; round += 1) {
        const copies = await us.restingQueue.receive(orders);
        const firsts = [...grouped(bodies(copies)).values()].map(([body]) => body);
        const [done, back] = [
          copies.filter(({ body, receiveCount }) => firsts.includes(body) && (receiveCount > 1 || body !== "1a")),
          copies.filter(({ body, receiveCount }) => !firsts.includes(body) || (receiveCount === 1 && body === "1a")),
        ];
        await us.restingQueue.remove(orders, done);
        await us.restingQueue.giveBack(orders, back);
        taken.push(...done);
      }
      expect(Object.fromEntries(grouped(bodies(taken)))).toEqual({ 1: ["1a", "1b", "1c"], 2: ["2a", "2b"], 3: ["3a"] });
    });

    test("a copy tells its group", async () => {
      const { us } = await holding("1a");
      expect(await us.restingQueue.receive(orders)).toMatchObject([{ body: "1a", group: "1" }]);
    });

    test("what is sent again with its id is accepted and there once", async () => {
      const { us, drain } = await holding("1a");
      expect(await us.targets.handOver([numbered(orders, "1a")])).toEqual([accepted]);
      expect(await us.targets.handOver([numbered(orders, "1b", "1a")])).toEqual([accepted]);
      expect(bodies(await drain(us.where.queueOf(orders)))).toEqual(["1a"]);
    });

    test("a batch with one message of each group arrives whole", async () => {
      const { us, drain } = await holding();
      const all = "123456789abcdef".split("").map((group) => `${group}x`);
      expect(await us.targets.handOver(all.map((body) => numbered(orders, body)))).toEqual(all.map(() => accepted));
      expect(bodies(await drain(us.where.queueOf(orders))).toSorted()).toEqual(all.toSorted());
    });

    test("a FIFO topic feeds dispatch: enveloped, in its group, a repeated publish once", async () => {
      const { us, make, drain } = await open();
      const feed = queueAt(us.where.own, us.where.own.feedQueue(true));
      await Promise.all([us.where.topicOf(prices), feed].map(make));
      expect(await us.subscriptions.subscribe(prices, { to: "feed" })).toEqual({ arn: expect.stringMatching(/^arn:/) });
      const publish = (body: string, id = body) => us.targets.handOver([numbered({ to: "topic", destination: prices }, body, id)]);
      for (const body of ["1a", "2a", "1b", "1a"]) expect(await publish(body)).toEqual([accepted]);
      const records = await drain(feed);
      const messages = records.map(({ body }) => JSON.parse(body).Message);
      expect(Object.fromEntries(grouped(messages))).toEqual({ 1: ["1a", "1b"], 2: ["2a"] });
      expect(records.map(({ group }) => group)).toEqual(messages.map((body) => body.slice(0, 1)));
    });

    test("the end of a client's subscription keeps order, too: control makes it so by its name", async () => {
      const { us, make, drain } = await open();
      const queue = "c1.1.topic.fifo";
      await make(us.where.topicOf(prices));
      await us.resources.make({ make: "own-queue", queue });
      await us.subscriptions.subscribe(prices, { to: "own-queue", queue });
      const to = { to: "topic", destination: prices } as const;
      for (const body of ["1a", "1b", "1b"]) await us.targets.handOver([numbered(to, body)]);
      const place = resourcePlace(us.where, { make: "own-queue", queue });
      if (place.service !== "sqs") throw new Error("an own queue is a queue");
      expect((await drain(place)).map(({ body }) => JSON.parse(body).Message)).toEqual(["1a", "1b"]);
    });
  });
