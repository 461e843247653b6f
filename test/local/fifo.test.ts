import { CreateQueueCommand, ReceiveMessageCommand, SetQueueAttributesCommand } from "@aws-sdk/client-sqs";
import { describe, expect, test } from "vitest";
import type { Connection } from "../../client/index.ts";
import { useNetwork } from "../client/a-network.ts";
import { eventually } from "../support/eventually.ts";

const declared = { queues: ["orders.fifo", "poisoned.fifo"], topics: ["prices.fifo"] };
const { clients, connectTo } = useNetwork(
  {
    network: "test",
    brokers: {
      us: {
        ...{ region: "us-east-1", subscriptionGrace: 0, ...declared },
        networkConnectors: [{ name: "us-eu", to: "eu", duplex: true }],
      },
      eu: { region: "eu-west-1", subscriptionGrace: 0, ...declared },
    },
  },
  ["throttling"],
);

const groups = ["1", "2", "3"];
/** `1a` is the first message of group 1. */
const messages = ["a", "b", "c", "d", "e"].flatMap((letter) => groups.map((group) => group + letter));
const inOrder = Object.fromEntries(groups.map((group) => [group, messages.filter((message) => message.startsWith(group))]));
const byGroup = (texts: readonly string[]) => Object.fromEntries(Map.groupBy(texts, ([group = ""]) => group));

/** One after the other, as a producer does to whom order matters. */
const sendAll = async (by: Connection["send"], destination: string): Promise<void> => {
  for (const text of messages) await by(destination, text, { groupId: text.slice(0, 1) });
};

describe("over a link, on fauxqs, whose receives answer one message of a group", () => {
  test("a FIFO queue's groups arrive in order, each message once", async () => {
    const [us, eu] = [await connectTo("us"), await connectTo("eu")];
    const received: string[] = [];
    await eu.consume("orders.fifo", ({ text }) => received.push(text));
    await eu.ready();
    await sendAll(us.send, "orders.fifo");
    await eventually(() => byGroup(received)).toEqual(inOrder);
    await eu.close();
  });

  test("a FIFO topic's groups arrive in order at a subscriber there and at one here, each message once", async () => {
    const [us, eu] = [await connectTo("us"), await connectTo("eu")];
    const received: Record<"us" | "eu", string[]> = { us: [], eu: [] };
    await us.subscribe("prices.fifo", ({ text }) => received.us.push(text));
    await eu.subscribe("prices.fifo", ({ text }) => received.eu.push(text));
    await Promise.all([us.ready(), eu.ready()]);
    await sendAll(us.publish, "prices.fifo");
    await eventually(() => [byGroup(received.us), byGroup(received.eu)]).toEqual([inOrder, inOrder]);
    await Promise.all([us.close(), eu.close()]);
  });

  test("C06: a message that always fails holds up its own group alone, in order, and ends in the dead-letter queue", async () => {
    const { sqs } = clients("eu");
    const urlOf = (name: string) => `http://sqs/000000000000/${name}`;
    await sqs.send(new CreateQueueCommand({ QueueName: "letters.fifo", Attributes: { FifoQueue: "true" } }));
    const RedrivePolicy = JSON.stringify({ deadLetterTargetArn: "arn:aws:sqs:eu-west-1:000000000000:letters.fifo", maxReceiveCount: 3 });
    await sqs.send(
      new SetQueueAttributesCommand({
        QueueUrl: urlOf("spanmq-test-eu-q-poisoned.fifo"),
        Attributes: { RedrivePolicy, VisibilityTimeout: "4" },
      }),
    );
    const [us, eu] = [await connectTo("us"), await connectTo("eu")];
    const handled: string[] = [];
    await eu.consume("poisoned.fifo", ({ text }) => {
      handled.push(text);
      if (text === "2b") throw new Error("poison");
    });
    await eu.ready();
    await sendAll(us.send, "poisoned.fifo");
    await eventually(() => handled.filter((text) => text.endsWith("e")).toSorted()).toEqual(["1e", "2e", "3e"]);
    expect(byGroup(handled)).toEqual({ ...inOrder, 2: ["2a", "2b", "2b", "2b", "2c", "2d", "2e"] });
    expect(handled.indexOf("1e")).toBeLessThan(handled.indexOf("2c"));
    const { Messages = [] } = await sqs.send(new ReceiveMessageCommand({ QueueUrl: urlOf("letters.fifo"), MaxNumberOfMessages: 10 }));
    expect(Messages.map(({ Body }) => Body)).toEqual(["2b"]);
    await eu.close();
  });
});
