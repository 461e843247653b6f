import { PublishCommand } from "@aws-sdk/client-sns";
import {
  CreateQueueCommand,
  DeleteMessageBatchCommand,
  GetQueueAttributesCommand,
  ReceiveMessageCommand,
  SendMessageCommand,
  type SQSClient,
} from "@aws-sdk/client-sqs";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { connect, type ReceivedMessage } from "../../client/index.ts";
import { type EmbeddedNetwork, startNetwork } from "../../local/network.ts";
import { eventually } from "../support/eventually.ts";

vi.stubEnv("POWERTOOLS_LOG_LEVEL", "SILENT");
vi.stubEnv("POWERTOOLS_METRICS_DISABLED", "true");

const modes = ["AT_MOST_ONCE", "DUPLICATES_OK", "ONCE_AND_ONLY_ONCE"] as const;
const prefixOf = (mode: string) => mode.toLowerCase().replaceAll("_", ".");
const archive = "arn:aws:sqs:eu-west-1:000000000000:archive";

let network: EmbeddedNetwork;
beforeAll(async () => {
  const common = { maxBatchSize: 10, maxBatchTime: 1, addMessageIDInHeader: true, failureRetryInterval: 1_000 };
  network = await startNetwork({
    network: "net",
    brokers: { us: { region: "us-east-1", subscriptionGrace: 0 }, eu: { region: "eu-west-1", subscriptionGrace: 0 } },
    links: ["us <-> eu"],
    jmsBridges: [
      ...modes.flatMap((qualityOfServiceMode) => {
        const p = prefixOf(qualityOfServiceMode);
        return [
          {
            ...common,
            name: `${p.replaceAll(".", "-")}-near`,
            source: { broker: "us", destination: `${p}.source` },
            target: { broker: "us", destination: `${p}.target` },
            qualityOfServiceMode,
          },
          {
            ...common,
            name: `${p.replaceAll(".", "-")}-far`,
            source: { broker: "us", destination: `topic://${p}` },
            target: { broker: "eu", destination: `${p}.far` },
            qualityOfServiceMode,
          },
        ];
      }),
      {
        ...common,
        name: "queue-to-topic",
        source: { broker: "us", destination: "told.source" },
        target: { broker: "us", destination: "topic://told" },
        qualityOfServiceMode: "ONCE_AND_ONLY_ONCE",
      },
      {
        ...common,
        name: "topic-to-topic",
        source: { broker: "us", destination: "topic://heard" },
        target: { broker: "eu", destination: "topic://heard.there" },
        qualityOfServiceMode: "ONCE_AND_ONLY_ONCE",
      },
      {
        ...common,
        name: "archive",
        source: { broker: "us", destination: "orders" },
        target: { arn: archive },
        qualityOfServiceMode: "ONCE_AND_ONLY_ONCE",
      },
    ],
  });
}, 60_000);
afterAll(() => network?.stop());

const urlOf = (name: string) => `http://sqs/000000000000/${name}`;
const physical = (broker: string, kind: string, name: string) => `spanmq-net-${broker}-${kind}-${name.replaceAll(".", "-")}`;

/** Takes what is there, for good. */
const takeFrom = async (sqs: SQSClient, name: string) => {
  const { Messages = [] } = await sqs.send(
    new ReceiveMessageCommand({ QueueUrl: urlOf(name), MaxNumberOfMessages: 10, WaitTimeSeconds: 1, MessageAttributeNames: ["All"] }),
  );
  const Entries = Messages.map(({ ReceiptHandle }, i) => ({ Id: String(i), ReceiptHandle }));
  if (Entries.length > 0) await sqs.send(new DeleteMessageBatchCommand({ QueueUrl: urlOf(name), Entries }));
  return Messages;
};

/** Polls until so many have come, and a little longer for one too many. */
const arrivalsAt = async (sqs: SQSClient, name: string, expected: number) => {
  const arrived: Awaited<ReturnType<typeof takeFrom>> = [];
  await eventually(async () => arrived.push(...(await takeFrom(sqs, name)))).toBeGreaterThanOrEqual(expected);
  arrived.push(...(await takeFrom(sqs, name)));
  return arrived;
};

describe.for(modes)("%s", (mode) => {
  test("carries a queue's messages to a queue of the same region, with their attributes and an id of their own", async () => {
    const { sqs } = network.clientsFor("us-east-1");
    const QueueUrl = urlOf(physical("us", "q", `${prefixOf(mode)}.source`));
    const MessageAttributes = { shop: { DataType: "String", StringValue: "north" } };
    const sent = await sqs.send(new SendMessageCommand({ QueueUrl, MessageBody: "one", MessageAttributes }));
    await sqs.send(new SendMessageCommand({ QueueUrl, MessageBody: "two", MessageAttributes }));
    const arrived = await arrivalsAt(sqs, physical("us", "q", `${prefixOf(mode)}.target`), 2);
    expect(arrived.map(({ Body }) => Body).toSorted()).toEqual(["one", "two"]);
    const one = arrived.find(({ Body }) => Body === "one")?.MessageAttributes ?? {};
    expect(one.shop?.StringValue).toBe("north");
    const header = JSON.parse(one.SpanMQ?.StringValue ?? "{}");
    expect(header).toMatchObject({ id: expect.stringMatching(/^[0-9a-f]{32}$/), properties: { AMQ_BRIDGE_MSG_ID_LIST: sent.MessageId } });
  });

  test("carries a topic's messages to a queue of another region", async () => {
    const { sns } = network.clientsFor("us-east-1");
    const TopicArn = `arn:aws:sns:us-east-1:000000000000:${physical("us", "t", prefixOf(mode))}`;
    await sns.send(new PublishCommand({ TopicArn, Message: "news" }));
    const { sqs } = network.clientsFor("eu-west-1");
    const arrived = await arrivalsAt(sqs, physical("eu", "q", `${prefixOf(mode)}.far`), 1);
    expect(arrived.map(({ Body }) => Body)).toEqual(["news"]);
  });
});

describe("to a topic", () => {
  const subscribed = async (broker: string, region: string, topic: string) => {
    const connection = await connect({ network: "net", broker, env: network.environmentFor(region) });
    const received: ReceivedMessage[] = [];
    await connection.subscribe(`topic://${topic}`, (message) => received.push(message));
    await connection.ready();
    return { received, texts: () => received.map(({ text }) => text), [Symbol.asyncDispose]: () => connection.close() };
  };

  test("of the same region a queue's messages go to each subscriber, each once, with an id of their own", async () => {
    await using one = await subscribed("us", "us-east-1", "told");
    await using other = await subscribed("us", "us-east-1", "told");
    const { sqs } = network.clientsFor("us-east-1");
    const QueueUrl = urlOf(physical("us", "q", "told.source"));
    const { MessageId } = await sqs.send(new SendMessageCommand({ QueueUrl, MessageBody: "news" }));
    await eventually(() => [one.texts(), other.texts()]).toEqual([["news"], ["news"]]);
    expect(one.received[0]).toMatchObject({ id: other.received[0]?.id, properties: { AMQ_BRIDGE_MSG_ID_LIST: MessageId } });
  });

  test("of another region a topic's messages go to a subscriber there", async () => {
    await using there = await subscribed("eu", "eu-west-1", "heard.there");
    const { sns } = network.clientsFor("us-east-1");
    const TopicArn = `arn:aws:sns:us-east-1:000000000000:${physical("us", "t", "heard")}`;
    await sns.send(new PublishCommand({ TopicArn, Message: "news" }));
    await eventually(there.texts).toEqual(["news"]);
  });
});

test("J08 what is sent before the target exists waits, and all of it arrives once it is made", async () => {
  const [{ sqs: us }, { sqs: eu }] = [network.clientsFor("us-east-1"), network.clientsFor("eu-west-1")];
  const QueueUrl = urlOf(physical("us", "q", "orders"));
  await us.send(new SendMessageCommand({ QueueUrl, MessageBody: "early" }));
  const parkedAt = urlOf("spanmq-net-us-sys-bridge-archive-undelivered");
  const parked = async () => {
    const AttributeNames = ["ApproximateNumberOfMessages" as const];
    const { Attributes } = await us.send(new GetQueueAttributesCommand({ QueueUrl: parkedAt, AttributeNames }));
    return Attributes?.ApproximateNumberOfMessages;
  };
  await eventually(parked).toBe("1");
  await us.send(new SendMessageCommand({ QueueUrl, MessageBody: "late" }));
  await eu.send(new CreateQueueCommand({ QueueName: "archive" }));
  expect((await arrivalsAt(eu, "archive", 2)).map(({ Body }) => Body).toSorted()).toEqual(["early", "late"]);
  expect(network.failures()).toEqual([]);
});
