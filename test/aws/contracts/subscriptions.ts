import { describe, expect, test } from "vitest";
import type { Destination } from "../../../core/destination/destination.ts";
import { linkId } from "../../../core/ids.ts";
import type { NativeAttributes } from "../../../core/message/message.ts";
import type { BrokerInWorld, OpenWorld } from "../../support/worlds/world.ts";
import { us as usId, usToEu } from "../../support/worlds/world.ts";

const prices: Destination = { kind: "topic", name: "prices" };
const toEu = { to: "link", link: usToEu } as const;
const toClient = { to: "own-queue", queue: "client" } as const;
const text: NativeAttributes = {};

export const subscriptionsContract = (name: string, open: OpenWorld) =>
  describe(`${name} keep the contract of subscriptions`, () => {
    /** The topic, a client's own queue and the link's inbound in the other region exist. */
    const furnished = async () => {
      const world = await open();
      const { where } = world.us;
      const [topic, client, inbound] = [where.topicOf(prices), where.queueOf(toClient), where.inbound(usToEu)];
      if (!inbound) throw new Error("the world has no link");
      await Promise.all([topic, client, inbound].map(world.make));
      return { ...world, topic, client, inbound };
    };
    const publish = ({ targets }: BrokerInWorld, body: string, attributes = text) =>
      targets.handOver([{ target: { to: "topic", destination: prices }, wire: { body, attributes } }]);
    const arnOf = (answer: { readonly arn: string } | "pending") => (answer === "pending" ? "" : answer.arn);

    test("an envelope crosses to another region and names its origin", async () => {
      const { us, topic, inbound, drain } = await furnished();
      await us.subscriptions.subscribe(prices, toEu);
      await publish(us, 'up <1> "two"');
      const [record] = await drain(inbound);
      expect(record?.attributes).toEqual({});
      expect(JSON.parse(record?.body ?? "")).toMatchObject({
        Type: "Notification",
        MessageId: expect.stringMatching(/^[0-9a-f-]{36}$/),
        TopicArn: topic.arn,
        Message: 'up <1> "two"',
        Timestamp: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
      });
    });

    test("C02: attributes of every type stand in the envelope", async () => {
      const { us, client, drain } = await furnished();
      await us.subscriptions.subscribe(prices, toClient);
      await publish(us, "x", {
        name: { type: "String", value: "grün" },
        size: { type: "Number", value: "3.5" },
        blob: { type: "Binary", value: "AAECAw==" },
        tags: { type: "String.Array", value: '["a","b"]' },
      });
      const [record] = await drain(client);
      expect(JSON.parse(record?.body ?? "").MessageAttributes).toEqual({
        name: { Type: "String", Value: "grün" },
        size: { Type: "Number", Value: "3.5" },
        blob: { Type: "Binary", Value: "AAECAw==" },
        tags: { Type: "String.Array", Value: '["a","b"]' },
      });
    });

    test("C01: a message with eleven attributes arrives whole", async () => {
      const { us, inbound, drain } = await furnished();
      await us.subscriptions.subscribe(prices, toEu);
      const attributes = Object.fromEntries(Array.from({ length: 11 }, (_, i) => [`p${i}`, { type: "String", value: `${i}` }]));
      await publish(us, "x", attributes);
      const [record] = await drain(inbound);
      expect(Object.keys(JSON.parse(record?.body ?? "").MessageAttributes)).toHaveLength(11);
    });

    test("a message without any attribute has none in its envelope", async () => {
      const { us, client, drain } = await furnished();
      await us.subscriptions.subscribe(prices, toClient);
      await publish(us, "x");
      const [record] = await drain(client);
      expect(JSON.parse(record?.body ?? "")).not.toHaveProperty("MessageAttributes");
    });

    test("each subscriber gets its own copy", async () => {
      const { us, client, inbound, drain } = await furnished();
      await us.subscriptions.subscribe(prices, toClient);
      await us.subscriptions.subscribe(prices, toEu);
      await publish(us, "x");
      expect(await drain(client)).toHaveLength(1);
      expect(await drain(inbound)).toHaveLength(1);
    });

    test("subscribing again answers the same arn and delivers once", async () => {
      const { us, inbound, drain } = await furnished();
      const first = await us.subscriptions.subscribe(prices, toEu);
      expect(await us.subscriptions.subscribe(prices, toEu)).toEqual(first);
      await publish(us, "x");
      expect(await drain(inbound)).toHaveLength(1);
    });

    test("after unsubscribing nothing comes, doing it again is fine, and subscribing anew makes another arn", async () => {
      const { us, inbound, drain } = await furnished();
      const arn = arnOf(await us.subscriptions.subscribe(prices, toEu));
      await us.subscriptions.unsubscribe(arn);
      await us.subscriptions.unsubscribe(arn);
      await publish(us, "x");
      expect(await drain(inbound)).toEqual([]);
      expect(arnOf(await us.subscriptions.subscribe(prices, toEu))).not.toBe(arn);
    });

    const colour = (value: string): NativeAttributes => ({ colour: { type: "String", value } });

    test("a filter policy keeps back what doesn't pass, also what has no attribute at all; without one everything comes", async () => {
      const { us, client, drain } = await furnished();
      const arn = arnOf(await us.subscriptions.subscribe(prices, toClient));
      await us.subscriptions.filter(arn, JSON.stringify({ $or: [{ colour: ["red"] }, { mark: [{ exists: true }] }] }));
      await publish(us, "passes", colour("red"));
      await publish(us, "passes, too", { mark: { type: "String", value: "true" } });
      await publish(us, "doesn't", colour("blue"));
      await publish(us, "has none");
      const passed = (await drain(client)).map(({ body }) => JSON.parse(body).Message);
      await us.subscriptions.filter(arn);
      await publish(us, "comes again");
      expect([passed.toSorted(), (await drain(client)).map(({ body }) => JSON.parse(body).Message)]).toEqual([
        ["passes", "passes, too"],
        ["comes again"],
      ]);
    });

    test("one that has a filter is found when it is subscribed once more", async () => {
      const { us } = await furnished();
      const first = await us.subscriptions.subscribe(prices, toEu);
      await us.subscriptions.filter(arnOf(first), JSON.stringify({ colour: ["red"] }));
      expect(await us.subscriptions.subscribe(prices, toEu)).toEqual(first);
    });

    test("a topic that isn't there can't be subscribed", async () => {
      const { us } = await open();
      await expect(us.subscriptions.subscribe(prices, toClient)).rejects.toThrow(/topic/i);
    });

    test("a link that left the configuration can't be subscribed", async () => {
      const { us } = await furnished();
      await expect(us.subscriptions.subscribe(prices, { to: "link", link: linkId(usId, "gone") })).rejects.toThrow(/link/);
    });
  });
