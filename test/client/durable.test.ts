import { GetQueueUrlCommand, ReceiveMessageCommand } from "@aws-sdk/client-sqs";
import { describe, expect, test } from "vitest";
import type { Connection } from "../../client/index.ts";
import { eventually } from "../support/eventually.ts";
import { twoRegions, useNetwork } from "./a-network.ts";

const line = { destination: "topic://quotes", clientID: "ledger", subscriptionName: "plain" };
const { clients, connectTo } = useNetwork(twoRegions({ consumers: [line] }));

const billing = (at: string) => connectTo(at, [], "billing");
/** What its subscriber gets from now on. */
const subscribe = async (connection: Connection, topic: string, subscriptionName: string) => {
  const texts: string[] = [];
  const subscriber = await connection.subscribeDurable(topic, subscriptionName, ({ text }) => void texts.push(text));
  await connection.ready();
  return { texts, subscriber };
};

describe("a durable subscription", () => {
  test("gets what was published here and abroad while its subscriber was away, each once", async () => {
    const [us, eu] = [await connectTo("us"), await billing("eu")];
    await subscribe(eu, "prices", "audit");
    await eu.close();
    await us.publish("prices", "abroad");
    await (await connectTo("eu")).publish("prices", "here");
    const { texts } = await subscribe(await billing("eu"), "prices", "audit");
    await eventually(() => texts.toSorted()).toEqual(["abroad", "here"]);
    await us.publish("prices", "now");
    await eventually(() => texts.toSorted()).toEqual(["abroad", "here", "now"]);
  });

  test("has one subscriber: another one is told who has it, and has it when that one is closed", async () => {
    const [first, second] = [await billing("eu"), await billing("eu")];
    const { subscriber } = await subscribe(first, "rates", "owner");
    await expect(subscribe(second, "rates", "owner")).rejects.toThrow(
      `durable subscription owner of client billing is in use by connection ${first.id}: close its subscriber first`,
    );
    await subscriber.close();
    const { texts } = await subscribe(second, "rates", "owner");
    await first.publish("rates", "m");
    await eventually(() => texts).toEqual(["m"]);
  });

  test("is made anew for another topic", async () => {
    const eu = await billing("eu");
    await (await subscribe(eu, "old", "moving")).subscriber.close();
    await eu.publish("old", "lost");
    const { texts } = await subscribe(eu, "new", "moving");
    await eu.publish("new", "m");
    await eventually(() => texts).toEqual(["m"]);
  });

  test("ends when it is unsubscribed, which its subscriber stands in the way of", async () => {
    const eu = await billing("eu");
    const { subscriber } = await subscribe(eu, "news", "reader");
    await expect(eu.unsubscribe("reader")).rejects.toThrow(`in use by connection ${eu.id}: close its subscriber first`);
    await subscriber.close();
    await eu.publish("news", "gathered");
    await eu.unsubscribe("reader");
    await expect(eu.unsubscribe("reader")).rejects.toThrow("broker eu has no durable subscription reader of client billing");
  });

  test.for([
    { rule: "without a client id", clientID: undefined, name: "audit", says: "give connect a clientID" },
    { rule: "without a name", clientID: "billing", name: "", says: 'subscriptionName "" must have 1 to 100 characters' },
    { rule: "with a client id that is too long", clientID: "x".repeat(101), name: "audit", says: "must have 1 to 100 characters" },
  ])("isn't made $rule", async ({ clientID, name, says }) => {
    const eu = await connectTo("eu", [], clientID);
    await expect(eu.subscribeDurable("prices", name, () => {})).rejects.toThrow(says);
    await expect(eu.unsubscribe(name)).rejects.toThrow(says);
  });

  test("that is declared gathers for a plain reader, from abroad too", async () => {
    const [eu, { sqs }] = [await connectTo("eu"), clients("us")];
    await eu.subscribe("quotes", () => {});
    await eu.ready();
    await eu.publish("quotes", "1.08");
    const { QueueUrl = "" } = await sqs.send(new GetQueueUrlCommand({ QueueName: "spanmq-test-us-s-durable-ledger-plain-quotes" }));
    const bodies: unknown[] = [];
    await eventually(async () => {
      const { Messages = [] } = await sqs.send(new ReceiveMessageCommand({ QueueUrl }));
      bodies.push(...Messages.map(({ Body = "" }) => JSON.parse(Body)));
      return bodies;
    }).toMatchObject([{ Type: "Notification", Message: "1.08" }]);
  });

  test("isn't made of a queue beside a topic", async () => {
    const eu = await billing("eu");
    await expect(eu.subscribeDurable("prices,queue://orders", "mixed", () => {})).rejects.toThrow("only they have durable subscriptions");
  });
});
