import { ScanCommand } from "@aws-sdk/client-dynamodb";
import { PublishCommand, SubscribeCommand } from "@aws-sdk/client-sns";
import { CreateQueueCommand, ReceiveMessageCommand } from "@aws-sdk/client-sqs";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { dynamoBrain } from "../../aws/brain.ts";
import { type Connection, connect } from "../../client/index.ts";
import { type EmbeddedNetwork, startNetwork } from "../../local/network.ts";
import { eventually } from "../support/eventually.ts";

vi.stubEnv("POWERTOOLS_LOG_LEVEL", "SILENT");
vi.stubEnv("POWERTOOLS_METRICS_DISABLED", "true");

const regions = { us: "us-east-1", eu: "eu-west-1" } as const;
const topicArn = (broker: keyof typeof regions) => `arn:aws:sns:${regions[broker]}:000000000000:spanmq-net-${broker}-t-prices`;

let network: EmbeddedNetwork;
let connection: Connection | undefined;
beforeAll(async () => {
  const broker = { subscriptionGrace: 0, topics: ["prices"] };
  network = await startNetwork({
    network: "net",
    brokers: { us: { ...broker, region: regions.us }, eu: { ...broker, region: regions.eu } },
    links: ["us <-> eu"],
  });
}, 60_000);
afterAll(async () => {
  await connection?.close();
  await network?.stop();
});

const eu = () => network.clientsFor(regions.eu);
const publish = (Message: string) => network.clientsFor(regions.us).sns.send(new PublishCommand({ TopicArn: topicArn("us"), Message }));

/** What routing knows of the topic in eu, once every dispatch does. */
const known = async () => {
  const brain = dynamoBrain({ dynamo: eu().dynamodb, table: "spanmq-net-eu-sys-brain", now: Date.now });
  const view = (await brain.read("view", "", "topic://prices"))?.value;
  return view && view.changedAt + 2_000 < Date.now() ? view.subscribers : undefined;
};
/** How eu's dispatch delivered what it has carried so far. */
const plans = async () => {
  const { Items = [] } = await eu().dynamodb.send(new ScanCommand({ TableName: "spanmq-net-eu-sys-audit" }));
  return Items.map(({ plan }: (typeof Items)[number]) => JSON.parse(plan?.S ?? "{}").plan).toSorted();
};
const received = async (): Promise<readonly string[]> => {
  const QueueUrl = "http://sqs/000000000000/audit";
  const { Messages = [] } = await eu().sqs.send(new ReceiveMessageCommand({ QueueUrl, VisibilityTimeout: 0, WaitTimeSeconds: 1 }));
  return Messages.map(({ Body = "{}" }) => JSON.parse(Body).Message);
};

test("a topic's message goes straight to a client's queue, until somebody subscribes a queue of his own: then both get it from SNS", async () => {
  const got: string[] = [];
  connection = await connect({ network: "net", broker: "eu", env: network.environmentFor(regions.eu) });
  await connection.subscribe("prices", ({ text, brokerPath, destination }) => got.push([text, ...brokerPath, destination].join(" ")));
  await connection.ready();
  await eventually(known).toMatchObject({ queues: [expect.any(String)], links: [expect.any(String)], foreign: false });
  await publish("direct");
  await eventually(() => got).toEqual(["direct us topic://prices"]);
  expect(await plans()).toEqual(["fan-out"]);

  await eu().sqs.send(new CreateQueueCommand({ QueueName: "audit" }));
  const Endpoint = `arn:aws:sqs:${regions.eu}:000000000000:audit`;
  await eu().sns.send(new SubscribeCommand({ TopicArn: topicArn("eu"), Protocol: "sqs", Endpoint }));
  await eventually(async () => {
    await network.tickNow("eu");
    return known();
  }).toMatchObject({ foreign: true });
  await publish("published");
  await eventually(() => got).toEqual(["direct us topic://prices", "published us topic://prices"]);
  await eventually(received).toEqual(["published"]);
  expect(await plans()).toEqual(["fan-out", "hand-over"]);
  expect(network.failures()).toEqual([]);
}, 120_000);
